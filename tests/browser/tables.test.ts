import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findViolations } from "./accessibility.ts";
import { settle } from "./browser.ts";
import { useConsole } from "./console-world.ts";
import { furnish } from "./tour/tour-calls.ts";

const at = useConsole(furnish);

const table = (name: string) => at.page.getByRole("table", { name });
const headers = (name: string) => table(name).getByRole("columnheader").allInnerTexts();
const getSort = (header: Locator) => header.getAttribute("aria-sort");

const focusedName = () => at.page.evaluate<string>("document.activeElement.getAttribute('aria-label')");

/** Presses a key on an element that can be reached by keyboard; the user sees where the focus is. */
async function press(target: Locator, key: "Enter" | "Space"): Promise<void> {
  await target.focus();
  await at.page.keyboard.press("Shift+Tab");
  await at.page.keyboard.press("Tab");
  const focused =
    "document.activeElement.matches(':focus-visible') && getComputedStyle(document.activeElement).outlineStyle";
  expect(await at.page.evaluate(focused)).toBe("solid");
  await at.page.keyboard.press(key);
}

describe("table keyboard navigation", () => {
  it("sorts on the server and keeps the order in the address", async () => {
    await at.open("/admin/channels");
    const id = table("Channels").getByRole("columnheader", { name: "ID", exact: true });
    expect(await getSort(id)).toBe("none");
    await press(id.getByRole("button"), "Enter");
    await at.page.waitForURL("**sort=id**");
    expect(await getSort(id)).toBe("descending");
    await at.page.reload();
    await settle(at.page);
    expect(await getSort(id)).toBe("descending");
    expect(at.visitor.problems).toEqual([]);
  });

  it("sorts in the browser in both directions if all rows are loaded", async () => {
    await at.open("/admin/settings?tab=operation");
    const model = table("Price table").getByRole("columnheader", { name: "Model", exact: true });
    const first = () => table("Price table").locator("tbody td:nth-child(2)").first().innerText();
    await press(model.getByRole("button"), "Enter");
    expect(await getSort(model)).toBe("ascending");
    const lowest = await first();
    await press(model.getByRole("button"), "Space");
    expect(await getSort(model)).toBe("descending");
    expect((await first()).localeCompare(lowest)).toBeGreaterThan(0);
  });

  it("shows, hides and moves columns, and remembers the choice", async () => {
    await at.open("/app/logs/api-usage");
    const [, , second = "", third = ""] = await headers("Usage logs");
    await press(at.page.getByRole("button", { name: "Columns" }), "Enter");
    const dialog = at.page.getByRole("dialog", { name: "Columns" });
    await press(dialog.getByRole("button", { name: `Move ${third} up`, exact: true }), "Enter");
    await press(dialog.getByRole("checkbox", { name: second, exact: true }), "Space");
    expect(await findViolations(at.page, "all", "[role=dialog]")).toEqual([]);
    await at.page.keyboard.press("Escape");
    await expect.poll(focusedName).toBe("Columns");
    const changed = await headers("Usage logs");
    expect(changed).not.toContain(second);
    expect(changed[2]).toBe(third);
    await at.page.reload();
    await settle(at.page);
    expect(await headers("Usage logs")).toEqual(changed);
    await press(at.page.getByRole("button", { name: "Columns" }), "Enter");
    await press(dialog.getByRole("button", { name: "Reset columns" }), "Enter");
    await at.page.keyboard.press("Escape");
    await expect.poll(focusedName).toBe("Columns");
    expect((await headers("Usage logs")).slice(2, 4)).toEqual([second, third]);
    expect(at.visitor.problems).toEqual([]);
  });

  it("saves filters, order and columns under a name, opens, renames and deletes them by keyboard", async () => {
    await at.open("/app/logs/api-usage?type=2&model=gpt-4o%25");
    const dialog = at.page.getByRole("dialog", { name: "Views" });
    const openDialog = () => press(at.page.getByRole("button", { name: "Views", exact: true }), "Enter");
    await openDialog();
    await dialog.getByLabel("Save this view").fill("GPT calls");
    await at.page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "GPT calls", exact: true }).waitFor();
    expect(await findViolations(at.page, "all", "[role=dialog]")).toEqual([]);
    await at.open("/app/logs/api-usage");
    await openDialog();
    await press(dialog.getByRole("button", { name: "GPT calls", exact: true }), "Enter");
    await at.page.waitForURL(/type=2.*model=gpt-4o/);
    await openDialog();
    await press(dialog.getByRole("button", { name: "Rename view “GPT calls”" }), "Enter");
    await dialog.getByLabel("View name", { exact: true }).fill("Calls of GPT");
    await at.page.keyboard.press("Enter");
    await press(dialog.getByRole("button", { name: "Delete view “Calls of GPT”" }), "Enter");
    await dialog.getByText("No saved views yet.").waitFor();
    expect(at.visitor.problems).toEqual([]);
  });

  it("exports the filtered list, and takes a switched channel back", async () => {
    await at.open("/admin/channels");
    const [file] = await Promise.all([
      at.page.waitForEvent("download"),
      at.page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("channels.csv");
    const isOn = async () => (await at.page.getByRole("button", { name: "Disable: gemini" }).count()) === 1;
    expect(await isOn()).toBe(true);
    await at.page.getByRole("button", { name: "Disable: gemini" }).click();
    await expect.poll(isOn).toBe(false);
    await at.page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(isOn).toBe(true);
    expect(at.visitor.problems).toEqual([]);
  });

  it("opens and closes the details of a row", async () => {
    await at.open("/app/logs/api-usage?type=2");
    const button = table("Usage logs")
      .getByRole("button", { name: /details/i })
      .first();
    expect(await button.getAttribute("aria-expanded")).toBe("false");
    await press(button, "Enter");
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    const details = at.page.locator(`[id="${(await button.getAttribute("aria-controls")) ?? ""}"]`);
    await details.getByText("Channels tried").waitFor();
    await press(button, "Space");
    expect(await button.getAttribute("aria-expanded")).toBe("false");
    await details.waitFor({ state: "detached" });
  });

  it("scrolls without axe violations", async () => {
    await at.open("/admin/users");
    const scroller = at.page.getByRole("group", { name: "User", exact: true });
    await scroller.focus();
    expect(await focusedName()).toBe("User");
    expect(await findViolations(at.page, "all")).toEqual([]);
  });
});

describe("table with more than 100 rows", () => {
  const CREDITS = 120;
  const credits = () => table("Credits");
  const countRows = () => credits().locator("tbody tr:not([aria-hidden] tr)").count();

  it("renders the rows in sight, all of them for print, and scrolls by keyboard", async () => {
    const root = await at.world.root();
    const { id, quota } = await root.get<{ id: number; quota: number }>("/api/user/self");
    // Each change of the balance is a row of the month's statement.
    for (let change = 1; change <= CREDITS; change++) await root.put("/api/user/", { id, quota: quota + change });
    await at.open("/app/wallet?tab=statement");
    const rowCount = Number(await credits().getAttribute("aria-rowcount"));
    expect(rowCount).toBeGreaterThan(CREDITS);
    await expect.poll(countRows).toBeLessThan(60);
    expect(await findViolations(at.page, "all", "main")).toEqual([]);

    const scroller = at.page.getByRole("group", { name: "Credits" });
    await scroller.focus();
    await at.page.keyboard.press("End");
    const last = credits().locator(`tr[aria-rowindex="${rowCount}"]`);
    await last.waitFor();
    expect(await countRows()).toBeLessThan(60);

    // The browser takes the printed page after the handlers of beforeprint: this one runs after the table's own.
    await at.page.evaluate(`addEventListener("beforeprint", () => {
      window.printedRows = document.querySelectorAll('table[aria-label="Credits"] tbody tr').length;
    })`);
    await at.page.pdf();
    expect(await at.page.evaluate("window.printedRows")).toBe(rowCount - 1);
    await expect.poll(countRows).toBeLessThan(60);
    expect(at.visitor.problems).toEqual([]);
  });
});
