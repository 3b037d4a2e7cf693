import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { barriersOf } from "./barriers.ts";
import { settle } from "./browser.ts";
import { useConsole } from "./console-world.ts";
import { furnish } from "./tour-shop.ts";

const at = useConsole(furnish);

const table = (name: string) => at.page.getByRole("table", { name });
const headers = (name: string) => table(name).getByRole("columnheader").allInnerTexts();
const sortOf = (header: Locator) => header.getAttribute("aria-sort");

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
    expect(await sortOf(id)).toBe("none");
    await press(id.getByRole("button"), "Enter");
    await at.page.waitForURL("**sort=id**");
    expect(await sortOf(id)).toBe("descending");
    await at.page.reload();
    await settle(at.page);
    expect(await sortOf(id)).toBe("descending");
    expect(at.visitor.trouble).toEqual([]);
  });

  it("sorts in the browser in both directions if all rows are loaded", async () => {
    await at.open("/admin/settings?tab=operation");
    const model = table("Price table").getByRole("columnheader", { name: "Model", exact: true });
    const first = () => table("Price table").locator("tbody td:nth-child(2)").first().innerText();
    await press(model.getByRole("button"), "Enter");
    expect(await sortOf(model)).toBe("ascending");
    const lowest = await first();
    await press(model.getByRole("button"), "Space");
    expect(await sortOf(model)).toBe("descending");
    expect((await first()).localeCompare(lowest)).toBeGreaterThan(0);
  });

  it("shows, hides and moves columns, and remembers the choice", async () => {
    await at.open("/app/logs/api-usage");
    const [, , second = "", third = ""] = await headers("Usage logs");
    await press(at.page.getByRole("button", { name: "Columns" }), "Enter");
    const dialog = at.page.getByRole("dialog", { name: "Columns" });
    await press(dialog.getByRole("button", { name: `Move ${third} up`, exact: true }), "Enter");
    await press(dialog.getByRole("checkbox", { name: second, exact: true }), "Space");
    expect(await barriersOf(at.page, "all", "[role=dialog]")).toEqual([]);
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
    expect((await headers("Usage logs")).slice(2, 4)).toEqual([second, third]);
    expect(at.visitor.trouble).toEqual([]);
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
    expect(await barriersOf(at.page, "all")).toEqual([]);
  });
});
