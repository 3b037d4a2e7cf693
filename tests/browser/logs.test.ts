import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DESK, openWindow, settle, type Visitor } from "./browser.ts";
import { barriersOf, type ConsoleWorld, startConsoleWorld } from "./console-world.ts";
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
const rows = () => page.getByRole("table", { name: "Usage logs" }).locator("tbody > tr");

it("filters live in the address, and the head sums what they leave", async () => {
  await open("/app/logs/api-usage");
  expect(await barriersOf(page)).toEqual([]);
  await page.getByLabel("Type").selectOption({ label: "Usage" });
  await page.waitForURL("**type=2**");
  await page.getByLabel("Model name").fill("gpt-4o%");
  await page.waitForURL("**model=gpt-4o**");
  await expect.poll(() => rows().count()).toBe(4);
  await page.getByText(/^Spent \$0\./).waitFor();
  await page.reload();
  await settle(page);
  expect(await rows().count()).toBe(4);
  expect(visitor.trouble).toEqual([]);
});

it("a row opens into a bill whose lines add up, with times and the channels tried", async () => {
  await open("/app/logs/api-usage?type=2&model=claude%25");
  await rows()
    .first()
    .getByRole("button", { name: /details/i })
    .click();
  const bill = page.getByRole("table").filter({ hasText: "Cache read" }).last();
  await bill.getByText("Total (rounded to a quota unit)").waitFor();
  const amounts = await bill.locator("tbody tr td:last-child").allInnerTexts();
  const total = Number((await bill.locator("tfoot td:last-child").innerText()).replace("$", ""));
  const sum = amounts.reduce((all, amount) => all + Number(amount.replace("$", "")), 0);
  expect(Math.abs(sum - total)).toBeLessThan(0.00001);
  await page.getByText("Channels tried").waitFor();
  expect(await barriersOf(page)).toEqual([]);
});

it("the filtered rows are saved as a file in the reader's language", async () => {
  await open("/app/logs/api-usage?type=6");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^logs-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines[0]).toContain("Time,Type,User ID");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("maximum context length");
});

it("columns stay as they were chosen", async () => {
  await open("/app/logs/api-usage");
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("dialog").getByLabel("Client IP").check();
  await page.keyboard.press("Escape");
  await page.reload();
  await settle(page);
  await page.getByRole("columnheader", { name: "Client IP" }).waitFor();
});

it("a user's name in the log opens what there is to know of the user", async () => {
  await open("/app/logs/api-usage?type=2");
  await page.getByRole("button", { name: /root/ }).first().click();
  await page.getByRole("dialog").getByText("Requests").waitFor();
  expect(visitor.trouble).toEqual([]);
});
