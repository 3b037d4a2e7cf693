import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ROOT_USER } from "../lib/world.ts";
import { barriersOf } from "./barriers.ts";
import { chooseOption, DESK, openWindow, settle } from "./browser.ts";
import { useConsole } from "./console-world.ts";
import { sidewaysScrollers } from "./in-page.ts";
import { furnish } from "./tour-shop.ts";

const at = useConsole(async (world, upstream) => {
  const root = await world.root();
  await root.put("/api/option/", { key: "LogErrorEnabled", value: "true" });
  await furnish(world, upstream);
});

describe("usage dashboard", () => {
  it("shows an admin usage, latency and top users, each chart with its values", async () => {
    await at.open("/app/dashboard?days=1");
    const byModel = at.page.getByRole("row").filter({ hasText: "claude-3-5-sonnet-20241022" });
    await byModel.getByText(/%$/).waitFor();
    await at.page.getByRole("heading", { name: "Latency and errors" }).waitFor();
    const figures = at.page.getByRole("region", { name: "Figures of latency and errors" });
    const whole = figures.getByRole("row").filter({ hasText: "Whole range" });
    await whole.getByText("10", { exact: true }).waitFor();
    await whole.getByText(/%$/).waitFor();
    await at.page.getByRole("tab", { name: "Error rate" }).click();
    await at.page.getByRole("heading", { name: "Top users" }).waitFor();
    await at.page.getByRole("link", { name: /anthropic/ }).waitFor();
    expect(await barriersOf(at.page, "all")).toEqual([]);
    await at.page.emulateMedia({ colorScheme: "dark" });
    expect(await barriersOf(at.page, "all")).toEqual([]);
    expect(at.visitor.trouble).toEqual([]);
  });

  it("filters by model, compares with the previous period, zooms by keyboard, and downloads CSV and PNG", async () => {
    await at.open("/app/dashboard?days=1");
    const { page } = at;
    const charts = page.locator("[data-slot=chart]");
    await charts.first().locator("svg .recharts-bar-rectangle").first().waitFor();
    await page.getByRole("columnheader", { name: "Previous period" }).waitFor();
    const brush = page.getByRole("slider", { name: "Select a time range" }).first();
    await brush.focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "claude-3-5-sonnet-20241022", exact: true }).last().click();
    await page.waitForURL("**model=claude-3-5-sonnet-20241022**");
    const rows = page.getByRole("row").filter({ hasText: "100.0%" });
    await rows.getByText("claude-3-5-sonnet-20241022").waitFor();
    const [csv] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).first().click(),
    ]);
    expect(csv.suggestedFilename()).toBe("usage-quota.csv");
    expect((await readFile(await csv.path(), "utf8")).split("\r\n")[0]).toBe("\uFEFFTime,claude-3-5-sonnet-20241022");
    const [png] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the chart as PNG" }).first().click(),
    ]);
    expect((await readFile(await png.path())).subarray(1, 4).toString()).toBe("PNG");
    await page.getByRole("button", { name: /^Only claude/ }).click();
    await expect.poll(() => page.url()).not.toContain("model=");
    expect(at.visitor.trouble).toEqual([]);
  });

  it("keeps time range and interval in the address, and separates one's own usage from the site's", async () => {
    await at.open("/app/dashboard");
    await chooseOption(at.page, "Time range", "Last 24 hours");
    await at.page.waitForURL("**days=1**");
    await chooseOption(at.page, "Interval", "By day");
    await at.page.waitForURL("**by=day**");
    await chooseOption(at.page, "Whose usage", "Mine");
    await at.page.waitForURL("**scope=self**");
    await at.page.getByRole("heading", { name: "Top users" }).waitFor({ state: "detached" });
    expect(at.visitor.trouble).toEqual([]);
  });

  it("fits a phone", async () => {
    const phone = await openWindow(at.browser, at.world.consoleUrl, { ...DESK, width: 375 }, at.session);
    await phone.page.goto("/app/dashboard?days=1");
    await settle(phone.page);
    await phone.page.getByRole("heading", { name: "Top channels" }).waitFor();
    expect(await sidewaysScrollers(phone.page)).toEqual([]);
    await phone.context.close();
  });
});

describe("usage log page", () => {
  const rows = () => at.page.getByRole("table", { name: "Usage logs" }).locator("tbody > tr");

  it("keeps filters in the address, and sums the filtered rows in the header", async () => {
    await at.open("/app/logs/api-usage");
    expect(await barriersOf(at.page, "all")).toEqual([]);
    await chooseOption(at.page, "Type", "Usage");
    await at.page.waitForURL("**type=2**");
    await at.page.getByLabel("Model name").fill("gpt-4o%");
    await at.page.waitForURL("**model=gpt-4o**");
    await expect.poll(() => rows().count(), { timeout: 10_000 }).toBe(4);
    await at.page.getByText(/^Spent \$0\./).waitFor();
    await at.page.reload();
    await settle(at.page);
    expect(await rows().count()).toBe(4);
    expect(at.visitor.trouble).toEqual([]);
  });

  it("expands a row into a bill whose lines add up, with timings and the channels tried", async () => {
    await at.open("/app/logs/api-usage?type=2&model=claude%25");
    await rows()
      .first()
      .getByRole("button", { name: /details/i })
      .click();
    const bill = at.page.getByRole("table").filter({ hasText: "Cache read" }).last();
    await bill.getByText("Total (rounded to a quota unit)").waitFor();
    const amounts = await bill.locator("tbody tr td:last-child").allInnerTexts();
    const total = Number((await bill.locator("tfoot td:last-child").innerText()).replace("$", ""));
    const sum = amounts.reduce((all, amount) => all + Number(amount.replace("$", "")), 0);
    expect(Math.abs(sum - total)).toBeLessThan(0.00001);
    await at.page.getByText("Channels tried").waitFor();
    expect(await barriersOf(at.page, "all")).toEqual([]);
  });

  it("exports the filtered rows as a file in the user's language", async () => {
    await at.open("/app/logs/api-usage?type=6");
    const [download] = await Promise.all([
      at.page.waitForEvent("download"),
      at.page.getByRole("link", { name: "Export CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^logs-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(lines[0]).toContain("Time,Type,User ID");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("maximum context length");
  });

  it("keeps the chosen columns", async () => {
    await at.open("/app/logs/api-usage");
    await at.page.getByRole("button", { name: "Columns" }).click();
    await at.page.getByRole("dialog").getByRole("checkbox", { name: "Client IP" }).check();
    await at.page.keyboard.press("Escape");
    await at.page.reload();
    await settle(at.page);
    await at.page.getByRole("columnheader", { name: "Client IP" }).waitFor();
  });

  it("opens a user's details from the user name in the log", async () => {
    await at.open("/app/logs/api-usage?type=2");
    await at.page
      .getByRole("button", { name: new RegExp(ROOT_USER.username) })
      .first()
      .click();
    await at.page.getByRole("dialog").getByText("Requests").waitFor();
    expect(at.visitor.trouble).toEqual([]);
  });
});
