import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { ConsoleClient } from "../lib/console-client.ts";
import { openAsRoot, row, rowAction, toast } from "./admin-window.ts";
import { findViolations } from "./accessibility.ts";
import { keepScreenshot, settle, type Visitor } from "./browser.ts";
import type { ConsoleWorld } from "./console-world.ts";

type Code = { id: number; name: string; key: string; status: number; quota: number; max_uses: number };

/** The codes page, in a system without codes. */
export function testRedemptionCodes(at: Pick<ConsoleWorld, "world" | "browser">): void {
  let root: ConsoleClient;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    root = await at.world.root();
    visitor = await openAsRoot(at.browser, at.world, "/admin/coupons");
    page = visitor.page;
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await keepScreenshot(page, `failed-codes-${task.name.slice(0, 30)}`);
  });

  const codes = async (): Promise<Code[]> =>
    (await root.get<{ items: Code[] }>("/api/redemption/", { p: 0, page_size: 100 })).items;

  it("creates a batch of codes and downloads them as a text file", async () => {
    await page.getByText("No codes yet").waitFor();
    await page.getByRole("link", { name: "New code" }).first().click();
    const sheet = page.getByRole("dialog", { name: "New code" });
    await sheet.getByLabel("Name").fill("Spring");
    await sheet.getByRole("button", { name: "$10", exact: true }).click();
    await sheet.getByLabel("Quantity").fill("101");
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await sheet.getByText("At most 100 at a time").first().waitFor();
    await sheet.getByLabel("Quantity").fill("12");
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    const made = page.getByRole("dialog", { name: "12 codes created" });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      made.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("Spring.txt");
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
    expect(new Set(lines)).toEqual(new Set((await codes()).map(({ key }) => key)));
    await made.getByRole("button", { name: "Close" }).click();
    expect((await codes()).every(({ quota }) => quota === 5_000_000)).toBe(true);
  });

  it("creates a gift code with a validity period and a number of uses", async () => {
    await page.getByRole("link", { name: "New code" }).first().click();
    const sheet = page.getByRole("dialog", { name: "New code" });
    await sheet.getByLabel("Name").fill("Launch");
    await sheet.getByRole("switch", { name: "Gift code" }).click();
    await sheet.getByLabel("Maximum uses").fill("5");
    await sheet.getByLabel("Valid from").fill("2030-01-02T00:00:00");
    await sheet.getByLabel("Expires").fill("2030-01-01T00:00:00");
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await sheet.getByText("The start must be before the end").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await sheet.getByLabel("Expires").fill("2031-01-01T00:00:00");
    await sheet.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("dialog", { name: "1 code created" }).getByRole("button", { name: "Close" }).click();
    await row(page, "Launch").getByText("Not valid yet").waitFor();
    expect(await row(page, "Launch").innerText()).toContain("0 / 5");
    expect((await codes()).find(({ name }) => name === "Launch")).toMatchObject({ max_uses: 5 });
    expect(await findViolations(page)).toEqual([]);
    await keepScreenshot(page, "codes-en-light-1440");
  });

  it("edits, copies, enables and disables one code", async () => {
    const code = (await codes()).find(({ name }) => name === "Launch");
    await page.getByRole("button", { name: "Edit: Launch" }).click();
    const sheet = page.getByRole("dialog", { name: "Edit code" });
    await sheet.getByText("A gift code for 5 uses").waitFor();
    await sheet.getByLabel("Name").fill("Launch day");
    await sheet.getByRole("button", { name: "Save", exact: true }).click();
    await toast(page, "Saved");
    await rowAction(page, "Launch day", "Copy code");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(code?.key);
    await page.getByRole("button", { name: "Disable: Launch day" }).click();
    await toast(page, "Disabled “Launch day”");
    await row(page, "Launch day").getByText("Disabled").waitFor();
  });

  it("shows who used a code, and offers no way to undo it", async () => {
    const [key = ""] = await root.post<string[]>("/api/redemption/", { name: "Taken", quota: 500_000, count: 1 });
    await root.post("/api/user/topup", { key });
    await page.goto("/admin/coupons?keyword=Taken");
    await settle(page);
    await row(page, "Taken").getByText("Used up").waitFor();
    await row(page, "Taken").getByRole("link").waitFor();
    expect(await page.getByRole("button", { name: "Edit: Taken" }).isDisabled()).toBe(true);
  });

  it("disables several at once and deletes by state and by name", async () => {
    await page.goto("/admin/coupons?keyword=Spring");
    await settle(page);
    const boxes = page.getByLabel("Select Spring");
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole("toolbar", { name: "Bulk actions" }).getByRole("button", { name: "Disable" }).click();
    await toast(page, "Disabled 2 codes");

    await page.getByRole("button", { name: "Clean up" }).click();
    await page.getByRole("menuitem", { name: "Delete disabled and used ones" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("textbox").fill("Delete");
    await question.getByRole("button", { name: "Delete" }).click();
    await toast(page, "Deleted 4 codes");

    await page.getByRole("button", { name: "Clean up" }).click();
    await page.getByRole("menuitem", { name: "Delete by name" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete by name" });
    await dialog.getByRole("button", { name: "Count" }).click();
    await dialog.getByText("Please enter a name").waitFor();
    await dialog.getByLabel("Name").fill("Sprin");
    await dialog.getByRole("button", { name: "Count" }).click();
    await dialog.getByText("There is no code named “Sprin”").waitFor();
    await dialog.getByLabel("Name").fill("Spring");
    await dialog.getByRole("button", { name: "Count" }).click();
    await dialog.getByText("Found 10 codes named “Spring”").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Delete these 10" }).click();
    await toast(page, "Deleted 10 codes");
    expect(await codes()).toEqual([]);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("No codes yet").waitFor();
    expect(visitor.problems).toEqual([]);
  });
}
