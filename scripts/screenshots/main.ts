import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { settle, signIn, startBrowser } from "../../tests/browser/browser.ts";
import { DEMO_ADMIN, DEMO_PASSWORD } from "../demo/demo-users.ts";
import { startDemo } from "./demo-install.ts";
import { type Language, type Screenshot, SCREENSHOTS, type Theme } from "./pages.ts";

/**
 * `make screenshots`: screenshots of the main pages of the demo install, in both themes, in docs/images. DATA_DIR, PORT, RELAY_PORT
 * and DEMO_UPSTREAM_PORT as for `make demo`.
 */
const FOLDER = resolve(import.meta.dirname, "../../docs/images");
const SIZE = { width: 1280, height: 800 };
const THEMES: readonly Theme[] = ["light", "dark"];
const QUALITY = 82;
const BYTES_MAX = 150_000;
const TOTAL_BYTES_MAX = 1_500_000;
const ACTION_TIMEOUT_MS = 30_000;
/** Charts are drawn after their data has arrived. */
const DRAWN_MS = 1_500;

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;
type Look = { readonly language: Language; readonly theme: Theme; readonly session?: Session };

async function openContext(
  browser: Browser,
  baseURL: string,
  { language, theme, session }: Look,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL,
    viewport: SIZE,
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: language === "en" ? "en-US" : "zh-CN",
    timezoneId: "UTC",
    ...(session ? { storageState: session } : {}),
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  return context;
}

/** The session of the demo's administrator. */
async function openSession(browser: Browser, consoleUrl: string): Promise<Session> {
  const context = await openContext(browser, consoleUrl, { language: "en", theme: "light" });
  const page = await context.newPage();
  await page.goto("/login");
  await signIn(page, { username: DEMO_ADMIN, password: DEMO_PASSWORD });
  await page.waitForURL((url) => !url.pathname.startsWith("/login"));
  const session = await context.storageState();
  await context.close();
  return session;
}

/** The page as WebP, which Playwright itself does not write. */
async function capture(page: Page): Promise<Buffer> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  await devtools.detach();
  return Buffer.from(data, "base64");
}

/** Takes one screenshot and returns its size in bytes. Throws for one that is too large to be stored. */
async function take(
  context: BrowserContext,
  { name, path, prepare }: Screenshot,
  { language, theme }: Look,
): Promise<number> {
  const page = await context.newPage();
  await page.goto(path);
  await settle(page);
  await prepare?.(page);
  await page.mouse.move(SIZE.width - 1, SIZE.height - 1);
  await page.waitForTimeout(DRAWN_MS);
  const screenshot = await capture(page);
  await page.close();
  const file = `${name}-${language === "en" ? "" : `${language}-`}${theme}.webp`;
  if (screenshot.length > BYTES_MAX) throw new Error(`${file} has ${screenshot.length} bytes, more than ${BYTES_MAX}`);
  await writeFile(join(FOLDER, file), screenshot);
  process.stdout.write(`screenshots: ${file} ${Math.round(screenshot.length / 1_000)} kB\n`);
  return screenshot.length;
}

/** Takes all screenshots in one language and theme. */
async function takeAll(browser: Browser, consoleUrl: string, look: Look): Promise<number> {
  const context = await openContext(browser, consoleUrl, look);
  let bytes = 0;
  for (const screenshot of SCREENSHOTS)
    if ((screenshot.languages ?? ["en"]).includes(look.language)) bytes += await take(context, screenshot, look);
  await context.close();
  return bytes;
}

await mkdir(FOLDER, { recursive: true });
const demo = await startDemo();
try {
  const browser = await startBrowser();
  try {
    const session = await openSession(browser, demo.consoleUrl);
    let bytes = 0;
    for (const theme of THEMES)
      for (const language of ["en", "zh"] as const)
        bytes += await takeAll(browser, demo.consoleUrl, { language, theme, session });
    process.stdout.write(`screenshots: ${Math.round(bytes / 1_000)} kB in docs/images\n`);
    if (bytes > TOTAL_BYTES_MAX) throw new Error(`the screenshots have more than ${TOTAL_BYTES_MAX} bytes`);
  } finally {
    await browser.close();
  }
} finally {
  await demo.stop();
}
