import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openaiClient } from "../lib/clients.ts";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite } from "../lib/test-site.ts";
import { testBacking } from "../lib/backing/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";
import { openAsRoot, row, rowAction, toast } from "./admin-window.ts";
import { findViolations } from "./accessibility.ts";
import { chooseOption, keepScreenshot, settle, startBrowser, type Visitor } from "./browser.ts";
import { testRedemptionCodes } from "./redemption-codes.ts";

const CHAT = 'https://chat.example.test/?settings={"key":"{key}","url":"{address}/v1"}';

// One system for both: starting it takes longer than most of the tests.
const at = {} as { world: World; browser: Browser };
let upstream: FakeUpstream;
let testSite: TestSite;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  [at.world, at.browser] = await Promise.all([startWorld({ backing: testBacking() }), startBrowser()]);
  testSite = await openTestSite(at.world, upstream.url);
}, 240_000);
afterAll(async () => {
  await at.browser?.close();
  await at.world?.stop();
  await upstream?.stop();
});

describe("redemption code page", () => {
  testRedemptionCodes(at);
});

describe("token page", () => {
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    visitor = await openAsRoot(at.browser, at.world, "/app/tokens");
    page = visitor.page;
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await keepScreenshot(page, `failed-tokens-${task.name.slice(0, 30)}`);
  });

  type Stored = { id: number; name: string; key: string; status: number; [field: string]: unknown };
  const stored = (): Promise<Stored[]> => testSite.root.get<Stored[]>("/api/token/", { p: 0, size: 100 });

  it("creates several tokens at once, with limits and a recurring budget", async () => {
    await page.getByRole("link", { name: "New token" }).first().click();
    const sheet = page.getByRole("dialog", { name: "New token" });
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await sheet.getByText("Please enter a name").waitFor();
    await sheet.getByRole("textbox", { name: "Name", exact: true }).fill("batch");
    await sheet.getByLabel("Quantity").fill("3");
    await sheet.getByRole("radio", { name: /^default/ }).check();
    await sheet.getByRole("button", { name: "$10", exact: true }).first().click();
    await chooseOption(sheet, "Recurring budget", "Every week");
    await sheet.getByRole("button", { name: "In 1 day" }).click();
    await sheet.getByRole("button", { name: "Limits" }).click();
    await sheet.getByLabel("Allowed IP addresses").fill("127.0.0.1\nnot an address");
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await sheet.getByText("Only IP addresses or CIDR ranges, one per line").waitFor();
    await sheet.getByLabel("Allowed IP addresses").fill("127.0.0.1\n10.0.0.0/8");
    await sheet.getByLabel("Tokens per minute").fill("50000");
    await sheet.getByLabel("Concurrent calls").fill("4");
    await sheet.getByRole("switch", { name: "Limit models" }).click();
    await sheet.getByRole("button", { name: "Choose models…" }).click();
    const picker = page.getByRole("dialog", { name: "Choose models" });
    await picker.getByLabel("Select all models of OpenAI").check();
    await picker.getByRole("button", { name: "Use 2 models" }).click();
    expect(await findViolations(page)).toEqual([]);
    await keepScreenshot(page, "token-limits-en-light-1440");
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    const made = page.getByRole("dialog", { name: "3 tokens created" });
    await made.getByRole("button", { name: "Done" }).click();
    const tokens = (await stored()).filter(({ name }) => name.startsWith("batch"));
    expect(tokens).toHaveLength(3);
    expect(tokens.find(({ name }) => name === "batch")).toMatchObject({
      group: "default",
      remain_quota: 5_000_000,
      budget_period: "week",
      period_quota: 5_000_000,
      allow_ips: "127.0.0.1\n10.0.0.0/8",
      tokens_per_minute: 50_000,
      concurrent_calls: 4,
      model_limits: "gpt-4o,gpt-4o-mini",
    });
  });

  it("shows a key only on request, and copies it", async () => {
    const token = (await stored()).find(({ name }) => name === "batch");
    const key = `sk-${token?.key ?? ""}`;
    expect(await row(page, "batch").first().innerText()).not.toContain(key);
    await page.getByRole("button", { name: "Show the key of batch", exact: true }).click();
    await page.getByText(key).waitFor();
    await page.getByRole("button", { name: "Hide the key of batch", exact: true }).click();
    await rowAction(page, "batch", "Copy key");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
  });

  it("offers the set-up of clients for a token, with its models and a complete key in the copy", async () => {
    const token = (await stored()).find(({ name }) => name === "batch");
    await rowAction(page, "batch", "Use this token");
    const dialog = page.getByRole("dialog", { name: "Use the token “batch”" });
    await dialog.waitFor();
    expect(await dialog.getByLabel("Model", { exact: true }).locator("option").allInnerTexts()).toEqual([
      "gpt-4o",
      "gpt-4o-mini",
    ]);
    await dialog.getByLabel("Model", { exact: true }).selectOption("gpt-4o");
    await dialog.getByRole("tab", { name: "Codex" }).click();
    await dialog.getByText('model = "gpt-4o"').waitFor();
    await dialog.getByRole("button", { name: "Copy the content of ~/.codex/config.toml" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(`base_url = "${at.world.consoleUrl}/v1"`);
    await dialog.getByRole("button", { name: "Copy code" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(`export TURNPIKE_API_KEY=sk-${token?.key}`);
    expect(await dialog.innerText()).not.toContain(token?.key);
    expect(await findViolations(page)).toEqual([]);
    await keepScreenshot(page, "use-token-en-light-1440");
    await dialog.getByRole("button", { name: "Done" }).click();
  });

  it("shows the usage of a token", async () => {
    const { key } = await testSite.token({ name: "counted" });
    upstream.next({}, { text: "Hello." });
    await openaiClient(at.world.relayUrl, key).chat.completions.create({
      model: "gpt-4o-mini",
      messages: [{ role: "user", content: "Hi" }],
    });
    await testSite.eventually("the log row", 10_000, async () =>
      (await testSite.logs({ token_name: "counted" })).total > 0 ? true : undefined,
    );
    await page.goto("/app/tokens");
    await settle(page);
    await rowAction(page, "counted", "View usage");
    const sheet = page.getByRole("dialog", { name: "Usage of “counted”" });
    await sheet.getByRole("cell", { name: "gpt-4o-mini" }).waitFor();
    await sheet.getByRole("tab", { name: "Last 24 hours" }).click();
    await sheet.getByRole("cell", { name: "gpt-4o-mini" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await sheet.getByRole("link", { name: "View logs" }).click();
    await page.waitForURL("**/app/logs/api-usage?token=counted");
  });

  it("does not offer to enable an exhausted token", async () => {
    await testSite.token({ name: "empty", remain_quota: 0 });
    const { id = 0 } = (await stored()).find(({ name }) => name === "empty") ?? {};
    await page.goto("/app/tokens");
    await settle(page);
    expect((await testSite.tokenQuota(id)).status).toBe(4);
    expect(await page.getByRole("button", { name: "Enable: empty" }).isDisabled()).toBe(true);
  });

  it("offers to enable an expired token after an edit moved its expiry", async () => {
    const ended = Math.floor(Date.now() / 1000) - 60;
    const { id, key } = await testSite.token({ name: "late", expired_time: ended });
    // A call makes the status permanent.
    await fetch(`${at.world.relayUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    await page.goto("/app/tokens");
    const enable = page.getByRole("button", { name: "Enable: late" });
    await expect.poll(() => enable.isDisabled()).toBe(true);
    await testSite.root.call("PUT", "/api/token/", { body: { id, name: "late", expired_time: -1 } });
    await page.reload();
    await enable.click();
    await page.getByRole("button", { name: "Disable: late" }).waitFor();
    await testSite.root.call("DELETE", `/api/token/${id}`);
  });

  it("enables, disables and deletes several tokens", async () => {
    await page.getByLabel("Select empty").check();
    await page.getByLabel("Select counted").check();
    const bar = page.getByRole("toolbar", { name: "Bulk actions" });
    await bar.getByRole("button", { name: "Disable" }).click();
    await toast(page, /of 2 done/);
    await page.getByLabel("Select empty").check();
    await page.getByLabel("Select counted").check();
    await bar.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("textbox").fill("2");
    await question.getByRole("button", { name: "Delete" }).click();
    await expect.poll(async () => (await stored()).map(({ name }) => name)).not.toContain("counted");
  });

  it("opens the site's chat clients with a key, and reports what is missing", async () => {
    await page.goto("/chat/0");
    await page.getByText("No chat links are set up").waitFor();
    await testSite.root.call("PUT", "/api/option/", {
      body: { key: "Chats", value: JSON.stringify([{ Lobe: CHAT }, { App: "ama://set-api-key?key={key}" }]) },
    });
    await page
      .context()
      .route("https://chat.example.test/**", (route) =>
        route.fulfill({ contentType: "text/html", body: "<title>chat</title>Chatting" }),
      );
    await page.reload();
    const frame = page.locator("iframe[title=Lobe]");
    await frame.waitFor();
    const source = (await frame.getAttribute("src")) ?? "";
    expect(source).toMatch(/sk-[A-Za-z0-9]+/);
    expect(source).toContain(encodeURIComponent(at.world.consoleUrl));
    await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "App" }).click();
    expect(await page.getByRole("link", { name: "Open App" }).getAttribute("href")).toMatch(
      /^ama:\/\/set-api-key\?key=sk-/,
    );
    await page.goto("/chat/9");
    await page.getByText("The chat link is not set up correctly").waitFor();
    await page.goto("/chat2link");
    await page.waitForURL("https://chat.example.test/**");
    expect(visitor.problems).toEqual([]);
  });

  it("sends users without a token to the page that creates tokens", async () => {
    for (const { id } of await stored()) await testSite.root.call("DELETE", `/api/token/${id}`);
    await page.goto(`${at.world.consoleUrl}/chat/0`);
    await page.getByText("There is no enabled token").first().waitFor();
    await page.waitForURL("**/app/tokens");
    await page.getByText("No tokens yet").waitFor();
    expect(visitor.problems).toEqual([]);
  });
});
