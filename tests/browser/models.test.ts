import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { openShop } from "../lib/shop.ts";
import { barriersOf } from "./barriers.ts";
import { chooseOption, keepScreenshot, type Look, openWindow, settle } from "./browser.ts";
import { useConsole } from "./console-world.ts";

let root: ConsoleClient;

const at = useConsole(async (world, upstream) => {
  ({ root } = await openShop(world, upstream.url));
});

describe("price page", () => {
  const rowOf = (name: string) => at.page.getByRole("row").filter({ hasText: name });

  it("shows prices to a visitor by vendor and name, and copies a name", async () => {
    const { page: open, context, trouble } = await openWindow(at.browser, at.world.consoleUrl);
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
    expect(await barriersOf(open, "all")).toEqual([]);
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("requires visitors to sign in on a site that shows prices to users only", async () => {
    await root.put("/api/option/", { key: "PublicPricingEnabled", value: "false" });
    const { page: open, context } = await openWindow(at.browser, at.world.consoleUrl);
    await open.goto("/pricing");
    await open.getByText("This site shows its prices to people who are signed in.").waitFor();
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
    await section.getByRole("button", { name: "Change price: gpt-4o-mini", exact: true }).click();
    const dialog = at.page.getByRole("dialog");
    await dialog.getByLabel("Input price ($ per 1M tokens)").fill("0.5");
    await dialog.getByRole("button", { name: "OK" }).click();
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByText(/unsaved change/).waitFor({ state: "detached" });
    await section.getByRole("button", { name: "History" }).click();
    const history = at.page.getByRole("dialog", { name: "History of prices" });
    const change = history.getByRole("listitem").filter({ hasText: "gpt-4o-mini" }).filter({ hasText: "0.075" });
    await change.getByText("0.25", { exact: true }).waitFor();
    await change.getByText("root").waitFor();
    expect(await barriersOf(at.page, "all")).toEqual([]);
    await at.page.keyboard.press("Escape");
    await at.page.goto("/pricing");
    await rowOf("gpt-4o-mini").getByText("$0.50", { exact: true }).waitFor();
    expect(at.visitor.trouble).toEqual([]);
  });
});

const ANSWER = [
  "# Tides",
  "The moon pulls the **sea**:",
  "- twice a day",
  "- everywhere",
  "",
  "```js\nconst pull = mass / distance ** 2;\n```",
  "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>",
].join("\n");

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Write a message" }).fill(text);
  await page.keyboard.press("Enter");
}

describe("playground", () => {
  it("sends a prompt, renders markdown without running code, edits, resends, deletes and remembers its settings", async () => {
    const { page, trouble } = at.visitor;
    await at.open("/playground");
    await page.getByLabel("Model", { exact: true }).selectOption("gpt-4o");
    at.upstream.always({}, { text: ANSWER });
    await ask(page, "Why are there tides?");
    await page.getByRole("heading", { name: "Tides" }).waitFor();
    await page.getByText("<img src=x").waitFor();
    expect(await page.title()).toContain("Playground");
    expect(at.upstream.calls.at(-1)?.body).toMatchObject({ model: "gpt-4o", stream: true });
    expect(JSON.stringify(at.upstream.calls.at(-1)?.body)).toContain("helpful assistant");
    await page.getByLabel("Show answers as they come").uncheck();
    at.upstream.always({}, { text: "Second answer." });
    await page.getByRole("button", { name: "Answer again" }).last().click();
    await page.getByText("Second answer.").waitFor();
    await page.getByRole("button", { name: "Edit message" }).first().click();
    await page.getByRole("textbox", { name: "Message text" }).fill("And the wind?");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Answer again" }).first().click();
    await expect.poll(() => JSON.stringify(at.upstream.calls.at(-1)?.body)).toContain("And the wind?");
    await page.getByRole("button", { name: "Delete message" }).last().click();
    await page.getByText("Second answer.").waitFor({ state: "detached" });
    at.upstream.next({}, { refuse: { status: 400, message: "too long for this model" } });
    await ask(page, "again");
    await page.getByRole("alert").getByText("too long for this model").waitFor();
    await page.reload();
    expect(await page.getByLabel("Model", { exact: true }).inputValue()).toBe("gpt-4o");
    expect(await page.getByLabel("Show answers as they come").isChecked()).toBe(false);
    expect(trouble.filter((line) => !line.includes("400"))).toEqual([]);
  });

  it("stops a response and keeps the part received", async () => {
    const { page } = at;
    await at.open("/playground");
    await page.getByLabel("Model", { exact: true }).selectOption("gpt-4o");
    at.upstream.always({}, { text: "word ".repeat(400), frameGapMs: 50 });
    await ask(page, "Talk");
    await page.getByText("word word").waitFor();
    await page.getByRole("button", { name: "Stop the answer" }).click();
    await page.getByRole("button", { name: "Answer again" }).last().waitFor();
    await expect.poll(() => at.upstream.calls.at(-1)?.outcome).toBe("caller-left");
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
      at.upstream.always({}, { text: ANSWER });
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
