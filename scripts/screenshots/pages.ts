import type { Page } from "playwright-core";

export type Theme = "light" | "dark";
export type Language = "en" | "zh";

/** A screenshot: the page, the steps before it is taken, and its languages. */
export type Screenshot = {
  readonly name: string;
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
  readonly languages?: readonly Language[];
};

/** Opens the first row that can be expanded. */
async function openRow(page: Page): Promise<void> {
  const arrow = page.locator("main [aria-expanded=false]:has(.lucide-chevron-right)").first();
  await arrow.click();
  await page.locator("main [aria-expanded=true]").first().waitFor();
}

/** Sends a prompt and waits for the cost of its response. */
async function sendPrompt(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Write a message" }).fill("Write a haiku about a toll road.");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Regenerate" }).last().waitFor();
}

/** The main pages of the console. */
export const SCREENSHOTS: readonly Screenshot[] = [
  { name: "dashboard", path: "/app/dashboard?days=7", languages: ["en", "zh"] },
  { name: "channels", path: "/admin/channels" },
  { name: "log", path: "/app/logs/api-usage?type=2", prepare: openRow },
  { name: "prices", path: "/pricing" },
  { name: "status", path: "/status" },
  { name: "playground", path: "/playground", prepare: sendPrompt },
  { name: "start", path: "/admin/start" },
];
