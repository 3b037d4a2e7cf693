import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { openTestSite } from "../lib/test-site.ts";
import { findViolations } from "./accessibility.ts";
import { chooseOption, keepScreenshot, type Look, openWindow, settle } from "./browser.ts";
import { useConsole } from "./console-world.ts";

let root: ConsoleClient;

const at = useConsole(async (world, upstream) => {
  ({ root } = await openTestSite(world, upstream.url));
});

describe("price page", () => {
  const getRow = (name: string) => at.page.getByRole("row").filter({ hasText: name });

  it("shows prices to a visitor by vendor and name, and copies a name", async () => {
    const { page: open, context, problems } = await openWindow(at.browser, at.world.consoleUrl);
    await open.goto("/pricing");
    await settle(open);
    await chooseOption(open, "Vendor", "OpenAI (2)");
    await open.waitForURL("**vendor=OpenAI**");
    const row = open.getByRole("row").filter({ hasText: "gpt-4o-mini" });
    await row.getByText("$0.15", { exact: true }).waitFor();
    await row.getByText("$0.60", { exact: true }).waitFor();
    expect(await open.getByRole("row").filter({ hasText: "claude" }).count()).toBe(0);
    await row.getByRole("button", { name: "Copy model name" }).click();
    expect(await open.evaluate("navigator.clipboard.readText()")).toBe("gpt-4o-mini");
    expect(await findViolations(open, "all")).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  it("requires visitors to sign in on a site that shows prices to users only", async () => {
    await root.put("/api/option/", { key: "PublicPricingEnabled", value: "false" });
    const { page: open, context } = await openWindow(at.browser, at.world.consoleUrl);
    await open.goto("/pricing");
    await open.getByText("This site shows its prices to signed-in users.").waitFor();
    await context.close();
    await root.put("/api/option/", { key: "PublicPricingEnabled", value: "true" });
  });

  it("charges an edited price from then on, and records the editor in its history", async () => {
    await at.open("/admin/settings");
    const section = at.page.getByRole("region", { name: "Pricing", exact: true });
    await section
      .getByLabel(/search/i)
      .first()
      .fill("gpt-4o-mini");
    const getCell = (column: string) => section.getByLabel(`gpt-4o-mini · ${column}`, { exact: true });
    await getCell("Input / 1M tokens").fill("0.5");
    await getCell("Input / 1M tokens").press("Enter");
    // The stored price stays visible until the change is saved.
    const row = section.getByRole("row").filter({ hasText: /^gpt-4o-mini/ });
    await row.locator("s").first().waitFor();
    await getCell("Cache read / 1M tokens").fill("0.25");
    await getCell("Cache read / 1M tokens").press("Enter");
    await section.getByRole("button", { name: "Save", exact: true }).click();
    await section.getByText(/unsaved change/).waitFor({ state: "detached" });
    await section.getByRole("button", { name: "History" }).click();
    const history = at.page.getByRole("dialog", { name: "Price history" });
    const change = history.getByRole("listitem").filter({ hasText: "gpt-4o-mini" }).filter({ hasText: "Model ratio" });
    await change.getByText("0.25", { exact: true }).waitFor();
    await change.getByText("root").waitFor();
    expect(await findViolations(at.page, "all")).toEqual([]);
    await at.page.keyboard.press("Escape");
    await at.page.goto("/pricing");
    await getRow("gpt-4o-mini").getByText("$0.50", { exact: true }).waitFor();
    expect(at.visitor.problems).toEqual([]);
  });
});

describe("status page", () => {
  it("shows users the state, hours and times of their models", async () => {
    await at.open("/status");
    const row = at.page.getByRole("listitem").filter({ hasText: "gpt-4o-mini" });
    await row.getByText("Available", { exact: true }).waitFor();
    await row.getByRole("img", { name: /last 24 hours/ }).waitFor();
    await row.getByRole("table", { name: "Error rate and latency of gpt-4o-mini" }).waitFor();
    expect(await findViolations(at.page, "all")).toEqual([]);
  });

  it("is closed to visitors until the site publishes it", async () => {
    const { page: open, context } = await openWindow(at.browser, at.world.consoleUrl, { language: "zh", width: 375 });
    await open.goto("/status");
    await open.getByText("本站的模型状态只对登录用户开放。").waitFor();
    await open.goto("/login");
    await open.getByRole("button", { name: "登录", exact: true }).waitFor();
    expect(await open.getByRole("link", { name: "模型状态" }).count()).toBe(0);
    await root.put("/api/option/", { key: "PublicStatusEnabled", value: "true" });
    await open.goto("/login");
    await open.getByRole("link", { name: "模型状态" }).click();
    await open.waitForURL("**/status");
    await open.getByRole("listitem").filter({ hasText: "gpt-4o-mini" }).getByText("可用", { exact: true }).waitFor();
    const overflow = await open.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(overflow).toBe(0);
    expect(await findViolations(open, "all")).toEqual([]);
    await context.close();
    await root.put("/api/option/", { key: "PublicStatusEnabled", value: "false" });
  });
});

const RESPONSE = [
  "# Tides",
  "The moon pulls the **sea**:",
  "- twice a day",
  "- everywhere",
  "",
  "```js\nconst pull = mass / distance ** 2;\n```",
  "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>",
].join("\n");

async function request(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Write a message" }).fill(text);
  await page.keyboard.press("Enter");
}

describe("playground", () => {
  it("sends a prompt, renders markdown without running code, edits, resends, deletes and remembers its settings", async () => {
    const { page, problems } = at.visitor;
    await at.open("/playground");
    await page.getByLabel("Model", { exact: true }).selectOption("gpt-4o");
    at.upstream.always({}, { text: RESPONSE });
    await request(page, "Why are there tides?");
    await page.getByRole("heading", { name: "Tides" }).waitFor();
    await page.getByText("<img src=x").waitFor();
    expect(await page.title()).toContain("Playground");
    expect(at.upstream.calls.at(-1)?.body).toMatchObject({ model: "gpt-4o", stream: true });
    expect(JSON.stringify(at.upstream.calls.at(-1)?.body)).toContain("helpful assistant");
    await page.getByLabel("Stream", { exact: true }).uncheck();
    at.upstream.always({}, { text: "Second answer." });
    await page.getByRole("button", { name: "Regenerate" }).last().click();
    await page.getByText("Second answer.").waitFor();
    await page.getByRole("button", { name: "Edit message" }).first().click();
    await page.getByRole("textbox", { name: "Message text" }).fill("And the wind?");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    at.upstream.always({}, { text: "Third answer." });
    await page.getByRole("button", { name: "Regenerate" }).first().click();
    await expect.poll(() => JSON.stringify(at.upstream.calls.at(-1)?.body)).toContain("And the wind?");
    await page.getByText("Third answer.").waitFor();
    await page.getByRole("button", { name: "Delete message" }).last().click();
    await page.getByText("Third answer.").waitFor({ state: "detached" });
    at.upstream.next({}, { refuse: { status: 400, message: "too long for this model" } });
    await request(page, "again");
    await page.getByRole("alert").getByText("too long for this model").waitFor();
    await page.reload();
    expect(await page.getByLabel("Model", { exact: true }).inputValue()).toBe("gpt-4o");
    expect(await page.getByLabel("Stream", { exact: true }).isChecked()).toBe(false);
    expect(problems.filter((line) => !line.includes("400"))).toEqual([]);
  });

  it("stops a response and keeps the part received", async () => {
    const { page } = at;
    await at.open("/playground");
    await page.getByLabel("Model", { exact: true }).selectOption("gpt-4o");
    at.upstream.always({}, { text: "word ".repeat(400), frameGapMs: 50 });
    await request(page, "Talk");
    await page.getByText("word word").waitFor();
    await page.getByRole("button", { name: "Stop the response" }).click();
    await page.getByRole("button", { name: "Regenerate" }).last().waitFor();
    await expect.poll(() => at.upstream.calls.at(-1)?.outcome).toBe("client-disconnected");
  });

  it.each([
    [{ language: "zh", width: 1440 }, "light"],
    [{ language: "en", width: 375 }, "dark"],
  ] as const satisfies readonly (readonly [Look, "light" | "dark"])[])(
    "fits %o in the %s theme",
    async (look, theme) => {
      const { page, context } = await openWindow(at.browser, at.world.consoleUrl, look, at.session);
      await page.emulateMedia({ colorScheme: theme });
      await page.goto("/playground");
      at.upstream.always({}, { text: RESPONSE });
      const box = page.getByRole("textbox", { name: look.language === "zh" ? "输入消息" : "Write a message" });
      await box.fill("Why are there tides?");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Tides" }).or(page.getByRole("alert")).waitFor();
      await sleep(300);
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(overflow).toBe(0);
      await keepScreenshot(page, `playground-${look.language}-${look.width}-${theme}`);
      await context.close();
    },
  );
});
