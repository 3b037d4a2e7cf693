import type { Browser, Page } from "playwright-core";
import type { World } from "../lib/world.ts";
import { openWindow, settle, signIn, type Visitor } from "./browser.ts";

/** A window of the root user, in English, on a page of the console. */
export async function openAsRoot(browser: Browser, world: World, path: string): Promise<Visitor> {
  const visitor = await openWindow(browser, world.consoleUrl);
  await visitor.page.goto("/login");
  await signIn(visitor.page);
  await visitor.page.waitForURL("**/app/tokens");
  await visitor.page.goto(path);
  await settle(visitor.page);
  return visitor;
}

/** Waits for a toast. */
export const toast = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole("listitem").filter({ hasText: text }).first().waitFor();

/** The table row that contains a text. */
export const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

/** Chooses an item of the row menu for the row named `name`. */
export async function rowAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `More actions for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action }).click();
}
