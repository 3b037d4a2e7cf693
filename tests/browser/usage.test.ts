import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ROOT_USER } from "../lib/world.ts";
import { findViolations } from "./accessibility.ts";
import { chooseOption, DESK, openWindow, settle } from "./browser.ts";
import { useConsole } from "./console-world.ts";
import { sidewaysScrollers } from "./in-page.ts";
import { furnish } from "./tour/tour-calls.ts";

const at = useConsole(async (world, upstream) => {
  await furnish(world, upstream);
});

describe("usage dashboard", () => {
  it("shows an admin usage, latency and top users, each chart with its values", async () => {
    await at.open("/app/dashboard?days=1");
    const byModel = at.page.getByRole("row").filter({ hasText: "claude-3-5-sonnet-20241022" });
    await byModel.getByText(/%$/).waitFor();
    await at.page.getByRole("heading", { name: "Latency and errors" }).waitFor();
    const figures = at.page.getByRole("table", { name: "Latency and error values" });
    const whole = figures.getByRole("row").filter({ hasText: "Whole range" });
    await whole.getByText("10", { exact: true }).waitFor();
    await whole.getByText(/%$/).waitFor();
    await at.page.getByRole("tab", { name: "Error rate" }).click();
    await at.page.getByRole("heading", { name: "Top users" }).waitFor();
    await at.page.getByRole("link", { name: /anthropic/ }).waitFor();
    expect(await findViolations(at.page, "all")).toEqual([]);
    await at.page.emulateMedia({ colorScheme: "dark" });
    expect(await findViolations(at.page, "all")).toEqual([]);
    expect(at.visitor.problems).toEqual([]);
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
    expect(at.visitor.problems).toEqual([]);
  });

  it("keeps time range and interval in the address, and separates one's own usage from the site's", async () => {
    await at.open("/app/dashboard");
    await chooseOption(at.page, "Time range", "Last 24 hours");
    await at.page.waitForURL("**days=1**");
    await chooseOption(at.page, "Interval", "By day");
    await at.page.waitForURL("**by=day**");
    await chooseOption(at.page, "Scope", "Mine");
    await at.page.waitForURL("**scope=self**");
    await at.page.getByRole("heading", { name: "Top users" }).waitFor({ state: "detached" });
    expect(at.visitor.problems).toEqual([]);
  });

  it("shows the error rate of the site, and what a top spender's usage is made of in one click", async () => {
    await at.open("/app/dashboard?days=1");
    const rate = at.page.getByText("Error rate", { exact: true }).first().locator("xpath=following-sibling::dd");
    await expect.poll(() => rate.innerText()).toMatch(/\d%/);
    const top = at.page.getByRole("table", { name: "Top users" });
    await top.getByRole("link", { name: ROOT_USER.username }).click();
    await at.page.waitForURL(`**user=${ROOT_USER.username}**`);
    await at.page.getByText(`Usage of ${ROOT_USER.username} only`).waitFor();
    await at.page.getByText("Balance", { exact: true }).waitFor();
    await at.page.getByRole("row").filter({ hasText: "claude-3-5-sonnet-20241022" }).first().waitFor();
    expect(await findViolations(at.page, "all")).toEqual([]);
    await at.page.getByRole("button", { name: "Show the whole site" }).click();
    await top.waitFor();
    expect(at.visitor.problems).toEqual([]);
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
    expect(await findViolations(at.page, "all")).toEqual([]);
    await chooseOption(at.page, "Type", "Usage");
    await at.page.waitForURL("**type=2**");
    await at.page.getByLabel("Model name").fill("gpt-4o%");
    await at.page.waitForURL("**model=gpt-4o**");
    await expect.poll(() => rows().count(), { timeout: 10_000 }).toBe(4);
    await at.page.getByText(/^Spent \$0\./).waitFor();
    await at.page.reload();
    await settle(at.page);
    expect(await rows().count()).toBe(4);
    expect(at.visitor.problems).toEqual([]);
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
    expect(Math.abs(sum - total)).toBeLessThan(0.0000001);
    await at.page.getByText("Channels tried").waitFor();
    expect(await findViolations(at.page, "all")).toEqual([]);
  });

  it("shows why a call failed, expands a row by a click on it, and filters by a click on a cell", async () => {
    await at.open("/app/logs/api-usage");
    const failed = rows().filter({ hasText: "maximum context length" }).first();
    await failed.getByRole("button", { name: "400" }).click();
    await at.page.waitForURL(/error=(%22)?400/);
    await expect.poll(() => rows().count(), { timeout: 10_000 }).toBe(1);
    await failed.locator("td").last().click();
    await at.page.getByText("Request ID", { exact: true }).waitFor();
    expect(await findViolations(at.page, "all")).toEqual([]);
    await failed.locator("td").last().click();
    await at.page.getByText("Request ID", { exact: true }).waitFor({ state: "detached" });
    expect(at.visitor.problems).toEqual([]);
  });

  it("opens the call of a request id, however old, and shows where the requests of the console are", async () => {
    const root = await at.world.root();
    const { items } = await root.get<{ items: { request_id: string }[] }>("/api/log/", { p: 1, page_size: 1, type: 2 });
    const id = items[0]?.request_id ?? "";
    const [request] = await Promise.all([
      at.page.waitForRequest((sent) => sent.url().includes("/api/log/?") && sent.url().includes(id)),
      at.open(`/app/logs/api-usage?request=${id}`),
    ]);
    expect(request.url()).not.toContain("start_timestamp");
    await at.page.getByText("Total (rounded to a quota unit)").waitFor();
    await at.page.getByRole("combobox", { name: "Time range" }).getByText("All time").waitFor();
    await at.open("/app/logs/api-usage?request=01K0000000000000000000000A");
    await at.page.getByText("No call has this request ID.", { exact: false }).waitFor();
    expect(at.visitor.problems).toEqual([]);
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
    expect(at.visitor.problems).toEqual([]);
  });
});
