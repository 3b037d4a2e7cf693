import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { testBacking } from "../lib/backing/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";
import { openAsRoot, row, rowAction, toast } from "./admin-window.ts";
import { findViolations } from "./accessibility.ts";
import { chooseOption, keepScreenshot, settle, startBrowser, type Visitor } from "./browser.ts";

type Listed = { id: number; name: string; status: number; tag: string; priority: number; key_count: number };

let world: World;
let upstream: FakeUpstream;
let browser: Browser;
let root: ConsoleClient;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  [world, browser] = await Promise.all([startWorld({ backing: testBacking() }), startBrowser()]);
  root = await world.root();
  visitor = await openAsRoot(browser, world, "/admin/channels");
  page = visitor.page;
}, 240_000);
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") await keepScreenshot(page, `failed-channels-${task.name.slice(0, 30)}`);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
  await upstream?.stop();
});

const listed = (): Promise<Listed[]> => root.get<Listed[]>("/api/channel/", { page_size: 100 });
const named = async (name: string) => (await listed()).find((channel) => channel.name === name);
const add = (name: string, more: object = {}) =>
  root.post("/api/channel/", {
    type: 1,
    name,
    key: `sk-${name}-1234`,
    base_url: upstream.url,
    models: "gpt-4o,gpt-4o-mini",
    group: "default",
    ...more,
  });

async function openList(search = ""): Promise<void> {
  await page.goto(`/admin/channels${search}`);
  await settle(page);
}

describe("hours of channels", () => {
  it("shows the hours as an image with a text, in the list and on the page of the channel's health", async () => {
    const { id } = await add("sparkling").then(async () => (await named("sparkling")) ?? { id: 0 });
    await openList("?keyword=sparkling");
    const image = page.getByRole("img", { name: /^sparkling: Last 24 hours, 0 calls/ });
    await image.first().waitFor();
    await page.goto(`/admin/channels/${id}/health`);
    await page.getByRole("dialog").getByRole("group", { name: "Last 24 hours" }).waitFor();
    await page
      .getByRole("dialog")
      .getByRole("img", { name: /^sparkling: Last 24 hours/ })
      .waitFor();
    expect(await findViolations(page, "all", "[role=dialog]")).toEqual([]);
    await root.delete(`/api/channel/${id}`);
    await openList();
  });
});

describe("channel editor", () => {
  it("shows each validation error at its field, and warns about an address that ends in /v1", async () => {
    await page.getByRole("link", { name: "New channel" }).first().click();
    const sheet = page.getByRole("dialog", { name: "New channel" });
    await sheet.getByRole("button", { name: "Advanced" }).click();
    await sheet.getByLabel("Model mapping", { exact: true }).fill("[]");
    await sheet.getByLabel("Parameter override", { exact: true }).fill("{");
    await sheet.getByLabel("Name").fill("");
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await sheet.getByText("Please enter the channel's name and key").nth(1).waitFor();
    await sheet.getByText("Please choose at least one model").waitFor();
    await sheet.getByText("The model mapping must be a valid JSON object").waitFor();
    await sheet.getByText("The parameter override must be a valid JSON object").waitFor();
    expect(await findViolations(page)).toEqual([]);

    await sheet.getByLabel("Model mapping", { exact: true }).fill("");
    await sheet.getByLabel("Parameter override", { exact: true }).fill("");
    await sheet.getByRole("textbox", { name: "Name", exact: true }).fill("with versions");
    await sheet.getByRole("textbox", { name: "Key", exact: true }).fill("sk-first-1111,sk-second-2222");
    await sheet.getByRole("textbox", { name: "Key 2", exact: true }).waitFor();
    await sheet.getByRole("button", { name: "Add key" }).click();
    await sheet.getByRole("textbox", { name: "Key 3", exact: true }).fill("sk-third-3333");
    await sheet.getByLabel("Base URL").fill(`${upstream.url}/v1`);
    await sheet.getByRole("button", { name: "Choose models…" }).click();
    const picker = page.getByRole("dialog", { name: "Choose models" });
    await picker.getByLabel("Filter models").fill("my-own-model");
    await picker.getByRole("button", { name: "Add “my-own-model”" }).click();
    await picker.getByLabel("Filter models").fill("gpt-4o-mini");
    await picker.getByLabel("gpt-4o-mini", { exact: true }).first().click();
    await keepScreenshot(page, "channel-picker-en-light-1440");
    expect(await findViolations(page)).toEqual([]);
    await picker.getByRole("button", { name: "Use 2 models" }).click();
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("The address ends in /v1").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await sheet.getByLabel("Base URL").fill(`${upstream.url}/`);
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await toast(page, "Created “with versions”");
    expect(await named("with versions")).toMatchObject({ key_count: 3, base_url: upstream.url });
  });

  it("shows type-specific fields, and copies a channel with its keys", async () => {
    await rowAction(page, "with versions", "Copy channel");
    const sheet = page.getByRole("dialog", { name: "Copy channel" });
    await sheet.getByText("The copy uses the keys of the original").waitFor();
    await chooseOption(sheet, "Type", "Azure OpenAI");
    await sheet.getByLabel("API version").fill("2025-01-01");
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await toast(page, "Created “with versions copy”");
    expect(await named("with versions copy")).toMatchObject({ key_count: 3, type: 3, other: "2025-01-01" });
  });
});

describe("channel list", () => {
  it("edits priority in place, refuses invalid values, and remembers sorting and grouping", async () => {
    await add("alpha");
    await add("beta");
    await openList();
    await page.getByLabel("Priority of alpha").fill("7");
    await page.keyboard.press("Enter");
    await toast(page, "Saved “alpha”");
    await page.getByLabel("Weight of alpha").fill("-2");
    await page.keyboard.press("Enter");
    await toast(page, "The weight must be an integer");
    await page.getByRole("button", { name: "ID", exact: true }).click();
    await page.waitForURL("**sort=id*");
    await openList();
    const first = page.getByRole("row").nth(1);
    await expect.poll(() => first.innerText()).toContain("beta");
    expect((await named("alpha"))?.priority).toBe(7);
    expect(await findViolations(page)).toEqual([]);
  });

  it("tags several channels and edits them together", async () => {
    await page.getByLabel("Select alpha").check();
    await page.getByLabel("Select beta").check();
    await page.getByRole("button", { name: "Set tag" }).click();
    const dialog = page.getByRole("dialog", { name: "Set tag" });
    await dialog.getByRole("button", { name: "OK" }).click();
    await dialog.getByText("The tag must not be empty").waitFor();
    await dialog.getByLabel("Tag", { exact: true }).fill("pool");
    await dialog.getByRole("button", { name: "OK" }).click();
    await toast(page, "Changed 2 channels");

    await page.getByRole("button", { name: "Group by tag" }).click();
    await page.getByRole("button", { name: "Channels of tag pool" }).click();
    await row(page, "alpha").waitFor();
    await keepScreenshot(page, "channel-tags-en-light-1440");
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel("Priority of pool").fill("3");
    await page.keyboard.press("Enter");
    await toast(page, "Saved “pool”");
    await page.getByRole("button", { name: "Disable all: pool" }).click();
    await toast(page, "Disabled the channels of tag “pool”");
    expect(await named("beta")).toMatchObject({ status: 2, priority: 3, tag: "pool" });

    await page.getByRole("button", { name: "Edit tag: pool" }).click();
    const sheet = page.getByRole("dialog", { name: "Edit tag" });
    await sheet.getByRole("button", { name: "Save", exact: true }).click();
    await sheet.getByText("Nothing was changed").waitFor();
    await sheet.getByLabel("Tag", { exact: true }).fill("moved");
    await sheet.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Channels of tag moved" }).waitFor();
    await page.getByRole("button", { name: "Enable all: moved" }).click();
    await toast(page, "Enabled the channels of tag “moved”");
    expect(await named("alpha")).toMatchObject({ status: 1, tag: "moved" });
    await page.getByRole("button", { name: "Group by tag" }).click();
  });

  it("tests one channel model by model, and all channels with progress", async () => {
    await openList();
    await rowAction(page, "alpha", "Test with a model");
    const dialog = page.getByRole("dialog", { name: "Test channel “alpha”" });
    await dialog.getByRole("button", { name: "Test gpt-4o-mini" }).click();
    await dialog
      .getByText(/\d ms|\d s/)
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "All channels" }).click();
    await page.getByRole("menuitem", { name: "Test all channels" }).click();
    await toast(page, /Tests done: \d+ channels/);
  });

  it("creates a channel named for its type, and tests it at once", async () => {
    await openList();
    await page.getByRole("link", { name: "New channel" }).first().click();
    const sheet = page.getByRole("dialog", { name: "New channel" });
    await sheet.getByRole("combobox").first().click();
    await page.getByRole("option", { name: "DeepSeek" }).click();
    expect(await sheet.getByLabel("Name").inputValue()).toBe("DeepSeek");
    await sheet.getByLabel("Key").first().fill("sk-deep-1234");
    await sheet.getByLabel("Base URL").fill(upstream.url);
    await sheet.getByRole("button", { name: "Create and test" }).click();
    await toast(page, /“DeepSeek” works|DeepSeek/);
    await sheet.waitFor({ state: "detached" });
    await expect
      .poll(async () => ((await named("DeepSeek")) as { test_time?: number } | undefined)?.test_time ?? 0)
      .toBeGreaterThan(0);
    await root.call("DELETE", `/api/channel/${(await named("DeepSeek"))?.id ?? 0}`);
  });

  it("keeps the reason of a failed test in the list until a test succeeds", async () => {
    const { id = 0 } = (await named("alpha")) ?? {};
    upstream.next({}, { refuse: { status: 400, message: "no such deployment" } });
    await root.call("GET", `/api/channel/test/${id}`).catch(() => undefined);
    await openList();
    const row = page.getByRole("row").filter({ hasText: "alpha" });
    await row.getByText(/Test failed: .*no such deployment/).waitFor();
    await root.call("GET", `/api/channel/test/${id}`);
    await openList();
    expect(await row.getByText("Test failed").count()).toBe(0);
  });

  it("shows the health of a channel and of each of its keys", async () => {
    await rowAction(page, "with versions", "Health");
    const sheet = page.getByRole("dialog", { name: "Health of “with versions”" });
    await sheet.getByText("••••3333").waitFor();
    expect(await sheet.getByText("Active").count()).toBe(3);
    await keepScreenshot(page, "channel-health-en-light-1440");
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  });

  it("shows why and when the system disabled a channel", async () => {
    const { id = 0 } = (await named("beta")) ?? {};
    upstream.always({}, { refuse: { status: 401, message: "invalid api key" } });
    await root.call("PUT", "/api/option/", { body: { key: "AutomaticDisableChannelEnabled", value: "true" } });
    await expect
      .poll(
        async () => {
          await root.call("GET", "/api/channel/test").catch(() => undefined);
          return (await root.get<Listed>(`/api/channel/${id}`)).status;
        },
        { timeout: 30_000, interval: 1_000 },
      )
      .toBe(3);
    upstream.always({}, { text: "ok" });
    await openList();
    await row(page, "beta").getByText("Auto-disabled").waitFor();
    expect(await row(page, "beta").innerText()).toMatch(/401|invalid/);
  });

  it("deletes disabled channels, and several at once after their number is typed", async () => {
    await root.put("/api/channel/", { id: (await named("beta"))?.id, status: 2 });
    await openList();
    await page.getByRole("button", { name: "All channels" }).click();
    await page.getByRole("menuitem", { name: "Repair consistency" }).click();
    await toast(page, /Repaired \d+ channel/);
    await page.getByRole("button", { name: "All channels" }).click();
    await page.getByRole("menuitem", { name: "Delete disabled channels" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("textbox").fill("Delete");
    await question.getByRole("button", { name: "Delete" }).click();
    await toast(page, /Deleted \d+ channel/);
    expect(await named("beta")).toBeUndefined();

    await add("gamma");
    await add("delta");
    await openList();
    await page.getByLabel("Select gamma").check();
    await page.getByLabel("Select delta").check();
    await page.getByRole("toolbar", { name: "Bulk actions" }).getByRole("button", { name: "Delete" }).click();
    await question.getByRole("textbox").fill("2");
    await question.getByRole("button", { name: "Delete" }).click();
    await toast(page, "Deleted 2 channels");
    expect((await listed()).some(({ name }) => name === "gamma" || name === "delta")).toBe(false);
  });

  it("causes no browser errors or warnings", () => {
    expect(visitor.problems).toEqual([]);
  });
});
