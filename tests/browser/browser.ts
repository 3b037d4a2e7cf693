import { join, resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { ROOT_USER } from "../lib/world.ts";

const SCREENSHOTS = resolve(import.meta.dirname, "../../.turnpike/screenshots");
const ACTION_TIMEOUT_MS = 15_000;
const HEIGHTS = { 375: 812, 1440: 900 } as const;

/** Viewing options of the console. The theme follows the system, which is light unless a test sets it. */
export type Look = { readonly language: "zh" | "en"; readonly width: 375 | 1440 };
export const DESK: Look = { language: "en", width: 1440 };

/** Window size of a phone or of a desktop. */
export const getSize = (width: Look["width"]) => ({ width, height: HEIGHTS[width] });

/** Starts Chromium with its own profile; `CHROMIUM` names a program other than Debian's. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

export type Visitor = { readonly context: BrowserContext; readonly page: Page; readonly problems: string[] };
export type SessionState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Records page problems: console errors and warnings, failed requests, refused calls. */
export function recordProblem(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Leaving a page aborts its pending requests.
    if (reason !== "net::ERR_ABORTED") problems.push(`request failed: ${request.url()} ${reason}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return problems;
}

/** Browser storage for windows of that width, with the language stored as if chosen before. */
export async function openStorage(
  browser: Browser,
  baseUrl: string,
  look: Look = DESK,
  session?: SessionState,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: getSize(look.width),
    hasTouch: look.width < 600,
    reducedMotion: "reduce",
    locale: look.language === "en" ? "en-US" : "zh-CN",
    permissions: ["clipboard-read", "clipboard-write"],
    ...(session ? { storageState: session } : {}),
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const kept = Object.fromEntries(
    (session?.origins ?? []).flatMap(({ localStorage }) => localStorage.map(({ name, value }) => [name, value])),
  );
  // Clears what an earlier window stored and sets the language once, as a user would: later changes by the page
  // persist. Frames contain other sites' pages.
  await context.addInitScript(`
    if (window === window.top && sessionStorage.getItem("language-chosen") === null) {
      localStorage.clear();
      for (const [name, value] of Object.entries(${JSON.stringify({ ...kept, language: look.language })}))
        localStorage.setItem(name, value);
      sessionStorage.setItem("language-chosen", "yes");
    }
  `);
  return context;
}

/** A new window in that storage. */
export async function openPage(context: BrowserContext): Promise<Visitor> {
  const page = await context.newPage();
  return { context, page, problems: recordProblem(page) };
}

/** A window with its own storage. */
export const openWindow = async (...storage: Parameters<typeof openStorage>): Promise<Visitor> =>
  openPage(await openStorage(...storage));

// Selector of loading placeholders.
const STAND_INS = "[aria-busy=true], [data-slot=skeleton], [role=status] .animate-spin";

/** Waits until the page is present and shows no loading placeholder. */
export async function settle(page: Page): Promise<void> {
  await page.locator("h1, [role=dialog], [role=alert]").first().waitFor();
  await page.locator(STAND_INS).first().waitFor({ state: "detached" });
  await page.evaluate("document.fonts.ready.then(() => undefined)");
}

/** False in a CI run, where screenshots are not viewed. */
export const keepsScreenshots = (): boolean => process.env["CI"] !== "true";

/** Saves a screenshot for review, if screenshots are kept. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (keepsScreenshots()) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

/** Signs in on the page that shows the form; the console must be in English. */
export async function signIn(page: Page, user: { username: string; password: string } = ROOT_USER): Promise<void> {
  await page.getByLabel("User name or e-mail").fill(user.username);
  await page.getByLabel("Password").fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Chooses the option with that text in the select with that label. */
export async function chooseOption(within: Page | Locator, label: string, option: string): Promise<void> {
  await within.getByRole("combobox", { name: label }).click();
  const page = "page" in within ? within.page() : within;
  await page.getByRole("option", { name: option, exact: true }).click();
}
