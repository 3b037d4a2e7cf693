import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DESK, openWindow, settle, type Visitor } from "./browser.ts";
import { barriersOf, type ConsoleWorld, startConsoleWorld } from "./console-world.ts";
import { sidewaysScrollers } from "./in-page.ts";
import { furnish } from "./tour-shop.ts";

let at: ConsoleWorld;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  at = await startConsoleWorld(async (world, upstream) => {
    const root = await world.root();
    await root.put("/api/option/", { key: "LogErrorEnabled", value: "true" });
    await furnish(world, upstream);
  });
}, 240_000);
afterAll(() => at?.stop());
beforeEach(async () => {
  visitor = await openWindow(at.browser, at.world.consoleUrl, DESK, at.session);
  page = visitor.page;
  return () => visitor.context.close();
});

async function open(path: string): Promise<void> {
  await page.goto(path);
  await settle(page);
}

it("shows an admin what was used, how fast it was answered, who used most, each chart with its figures", async () => {
  await open("/app/dashboard?days=1");
  const byModel = page.getByRole("row").filter({ hasText: "claude-3-5-sonnet-20241022" });
  await byModel.getByText(/%$/).waitFor();
  await page.getByRole("heading", { name: "Latency and errors" }).waitFor();
  const figures = page.getByRole("region", { name: "Figures of latency and errors" });
  const whole = figures.getByRole("row").filter({ hasText: "Whole range" });
  await whole.getByText("10", { exact: true }).waitFor();
  await whole.getByText(/%$/).waitFor();
  await page.getByRole("tab", { name: "Error rate" }).click();
  await page.getByRole("heading", { name: "Top users" }).waitFor();
  await page.getByRole("link", { name: /anthropic/ }).waitFor();
  expect(await barriersOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await barriersOf(page)).toEqual([]);
  expect(visitor.trouble).toEqual([]);
});

it("keeps the span and the interval in the address, and one's own use apart from the site's", async () => {
  await open("/app/dashboard");
  await page.getByLabel("Time range").selectOption({ label: "Last 24 hours" });
  await page.waitForURL("**days=1**");
  await page.getByLabel("Interval").selectOption({ label: "By day" });
  await page.waitForURL("**by=day**");
  await page.getByLabel("Whose usage").selectOption({ label: "Mine" });
  await page.waitForURL("**scope=self**");
  await page.getByRole("heading", { name: "Top users" }).waitFor({ state: "detached" });
  expect(visitor.trouble).toEqual([]);
});

it("fits a phone", async () => {
  const phone = await openWindow(at.browser, at.world.consoleUrl, { ...DESK, width: 375 }, at.session);
  await phone.page.goto("/app/dashboard?days=1");
  await settle(phone.page);
  await phone.page.getByRole("heading", { name: "Top channels" }).waitFor();
  expect(await sidewaysScrollers(phone.page)).toEqual([]);
  await phone.context.close();
});
