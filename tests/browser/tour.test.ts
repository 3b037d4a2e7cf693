import { AxeBuilder } from "@axe-core/playwright";
import { gzipSync } from "node:zlib";
import type { Browser, Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { testBacking } from "../lib/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";
import {
  DESK,
  keepScreenshot,
  openWindow,
  type SessionState,
  settle,
  signIn,
  sizeOf,
  startBrowser,
  type Visitor,
} from "./browser.ts";
import { sidewaysScrollers, textsOf } from "./in-page.ts";
import { invitePeople } from "./tour-people.ts";
import { furnish } from "./tour-shop.ts";

let world: World;
let upstream: FakeUpstream;
let browser: Browser;
let session: SessionState;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  [world, browser] = await Promise.all([startWorld({ backing: testBacking(), withConsole: true }), startBrowser()]);
  await furnish(world, upstream);
  await invitePeople(world);
  const { page, context } = await openWindow(browser, world.consoleUrl);
  await page.goto("/login");
  await signIn(page);
  await page.waitForURL("**/app/tokens");
  session = await context.storageState();
  await context.close();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await world?.stop();
  await upstream?.stop();
});

type Stop = { readonly name: string; readonly path: string; readonly open?: (page: Page) => Promise<void> };

const dialog = (page: Page): Promise<void> => page.getByRole("dialog").waitFor();
const clickFirst =
  (selector: string) =>
  async (page: Page): Promise<void> => {
    await page.locator(selector).first().click();
  };

const openPriceDialog = async (page: Page): Promise<void> => {
  await page.locator("#prices .lucide-pencil").first().click();
  await dialog(page);
};

const PAGES: readonly Stop[] = [
  { name: "dashboard", path: "/app/dashboard" },
  { name: "playground", path: "/playground" },
  { name: "tokens", path: "/app/tokens" },
  { name: "drawings", path: "/app/logs/drawing" },
  { name: "tasks", path: "/app/logs/tasks" },
  { name: "logs", path: "/app/logs/api-usage" },
  { name: "wallet", path: "/app/wallet" },
  { name: "me", path: "/app/me" },
  { name: "inbox", path: "/app/inbox" },
  { name: "pricing", path: "/pricing" },
  { name: "channels", path: "/admin/channels" },
  { name: "codes", path: "/admin/coupons" },
  { name: "orders", path: "/admin/orders" },
  { name: "ledger", path: "/admin/ledger" },
  { name: "messages", path: "/admin/messages" },
  { name: "audit", path: "/admin/audit" },
  { name: "users", path: "/admin/users" },
  { name: "settings", path: "/admin/settings" },
];

/** What lies behind the pages of the menu: editors, dialogs, rows laid open. */
const BEHIND: readonly Stop[] = [
  { name: "channel-new", path: "/admin/channels/new", open: dialog },
  { name: "channel-edit", path: "/admin/channels/1", open: dialog },
  {
    name: "channels-by-tag",
    path: "/admin/channels?view=tags",
    open: clickFirst("main button[aria-expanded=false]:has(.lucide-tags)"),
  },
  { name: "channel-health", path: "/admin/channels/1/health", open: dialog },
  { name: "tag-edit", path: "/admin/channels/tags/spare", open: dialog },
  { name: "token-usage", path: "/app/tokens/1/usage", open: dialog },
  { name: "token-new", path: "/app/tokens/new", open: dialog },
  { name: "token-edit", path: "/app/tokens/3", open: dialog },
  { name: "code-new", path: "/admin/coupons/new", open: dialog },
  { name: "me-security", path: "/app/me?tab=security" },
  { name: "me-notification", path: "/app/me?tab=notification" },
  { name: "register", path: "/register" },
  { name: "reset", path: "/reset" },
  { name: "reset-link", path: "/user/reset?email=ada%40example.com&token=0" },
  { name: "inbox-message", path: "/app/inbox/1" },
  { name: "message-readers", path: "/admin/messages/1/recipients", open: dialog },
  {
    name: "audit-details",
    path: "/admin/audit?area=user",
    open: clickFirst("main [aria-expanded=false]:has(.lucide-chevron-right), main li [aria-expanded=false]"),
  },
  { name: "message-new", path: "/admin/messages/new", open: dialog },
  { name: "user-new", path: "/admin/users/new", open: dialog },
  { name: "user-edit", path: "/admin/users/1", open: dialog },
  { name: "settings-json", path: "/admin/settings", open: clickFirst('[role=tab]:text-is("JSON")') },
  { name: "settings-unpriced", path: "/admin/settings", open: clickFirst("[role=tab][id$=-unset]") },
  { name: "settings-price", path: "/admin/settings", open: openPriceDialog },
  { name: "settings-ratelimit", path: "/admin/settings?tab=ratelimit" },
  { name: "settings-models", path: "/admin/settings?tab=models" },
  { name: "settings-system", path: "/admin/settings?tab=system" },
  { name: "settings-other", path: "/admin/settings?tab=other" },
  { name: "about", path: "/about" },
  {
    name: "log-details",
    path: "/app/logs/api-usage?type=2",
    open: clickFirst("main [aria-expanded=false]:has(.lucide-chevron-right), main li [aria-expanded=false]"),
  },
  { name: "not-found", path: "/nowhere" },
];

type Theme = (typeof THEMES)[number];
type Scope = { readonly language: "zh" | "en"; readonly width: 375 | 1440 };
const THEMES = ["light", "dark"] as const;
const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What is wrong with the words and the layout; neither depends on the theme. */
async function faultsOf(page: Page, { language, width }: Scope): Promise<string[]> {
  const texts = await textsOf(page);
  const untranslated = language === "en" ? texts.filter((text) => /\p{Script=Han}/u.test(text)) : [];
  return [
    ...texts.filter((text) => /\{\{|\bundefined\b|\bNaN\b|\[object/.test(text)).map((text) => `unfilled: ${text}`),
    ...untranslated.map((text) => `Chinese: ${text}`),
    ...(width < 600 ? await sidewaysScrollers(page) : []),
  ];
}

/** Barriers that axe calls serious or critical. The theme decides about contrast and nothing else. */
async function barriersOf(page: Page, theme: Theme): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (
    theme === "light" ? axe.withTags(STANDARDS) : axe.withRules("color-contrast")
  ).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, any }) => `${id} (${theme}): ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
    );
}

type Looked = Scope & { readonly theme: Theme };

/** Looks at what the window shows: the picture for people, the rest for this test. */
async function look(page: Page, name: string, { language, width, theme }: Looked): Promise<string[]> {
  await keepScreenshot(page, `${name}-${language}-${theme}-${width}`);
  const faults = theme === "light" ? await faultsOf(page, { language, width }) : [];
  // Words do not matter to axe, so one language is enough; colours are the same at every width.
  const isNew = language === "en" && (theme === "light" || width === 1440);
  return [...faults, ...(isNew ? await barriersOf(page, theme) : [])];
}

/** Opens a page and looks at it at the width it was loaded with and at the other, in both themes. */
async function visit(page: Page, stop: Stop, { language, width }: Scope): Promise<string[]> {
  const other = width === 375 ? 1440 : 375;
  await page.goto(stop.path);
  await settle(page);
  await stop.open?.(page);
  await settle(page);
  const found = await look(page, stop.name, { language, width, theme: "light" });
  await page.setViewportSize(sizeOf(other));
  await settle(page);
  found.push(...(await look(page, stop.name, { language, width: other, theme: "light" })));
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await look(page, stop.name, { language, width: other, theme: "dark" })));
  await page.setViewportSize(sizeOf(width));
  await settle(page);
  found.push(...(await look(page, stop.name, { language, width, theme: "dark" })));
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}

/** Each page is loaded once as on a desk and once as on a phone, then looked at in every way. */
const scopes: Scope[] = [
  { language: "zh", width: 1440 },
  { language: "en", width: 375 },
];

it("the menu leads to no page that this tour leaves out", async () => {
  const { page, context } = await openWindow(browser, world.consoleUrl, DESK, session);
  await page.goto("/app/wallet");
  const links = page.getByRole("navigation", { name: "Main navigation" }).getByRole("link");
  await links.first().waitFor();
  const menu = await links.evaluateAll((all) => all.map((link) => (link as { pathname?: string }).pathname));
  await context.close();
  expect(new Set(menu)).toEqual(new Set(PAGES.map(({ path }) => path)));
});

describe.each(scopes)("in $language, loaded at $width px, then wide and narrow, light and dark", (scope) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await openWindow(browser, world.consoleUrl, scope, session);
  });
  afterAll(() => visitor?.context.close());

  it.each([...PAGES, ...BEHIND])(
    "$name has no error, untranslated text, sideways scrolling or barrier",
    async (stop) => {
      const found = await visit(visitor.page, stop, scope);
      expect([...found, ...visitor.trouble.splice(0)]).toEqual([]);
    },
  );
});

describe("around the pages", () => {
  const FIRST_LOAD_BYTES_MAX = 200_000;

  it.each([
    { language: "zh", path: "/" },
    { language: "en", path: "/" },
    { language: "zh", path: "/login" },
    { language: "en", path: "/login" },
  ] as const)("a first visit of $path in $language loads less than 200 kB of script", async ({ language, path }) => {
    const { page, context, trouble } = await openWindow(browser, world.consoleUrl, { language, width: 375 });
    const scripts: Response[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script" && response.status() === 200) scripts.push(response);
    });
    await page.goto(path, { waitUntil: "networkidle" });
    await settle(page);
    const sizes = await Promise.all(
      scripts.map(async (response) => ({
        sent: (await response.request().sizes()).responseBodySize,
        gzip: gzipSync(await response.body()).length,
      })),
    );
    await keepScreenshot(page, `${path === "/" ? "home" : "login"}-${language}-light-375`);
    await context.close();
    const sum = (of: "sent" | "gzip"): number => sizes.reduce((total, size) => total + size[of], 0);
    console.log(`${path} in ${language}: ${sizes.length} scripts, ${sum("gzip")} bytes (gzip), ${sum("sent")} sent`);
    expect(sum("gzip")).toBeGreaterThan(10_000);
    expect(sum("gzip")).toBeLessThan(FIRST_LOAD_BYTES_MAX);
    expect(sum("sent")).toBeLessThan(FIRST_LOAD_BYTES_MAX);
    expect(trouble).toEqual([]);
  });

  it("a theme and a language that were chosen stay chosen", async () => {
    const { page, context } = await openWindow(browser, world.consoleUrl, DESK, session);
    const isDark = (): Promise<boolean> => page.evaluate("document.documentElement.classList.contains('dark')");
    await page.goto("/app/wallet");
    await page.getByRole("button", { name: "Theme: as the system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    await page.getByRole("button", { name: "中文" }).click();
    await page.getByRole("heading", { level: 1, name: "钱包" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "钱包" }).waitFor();
    expect(await isDark()).toBe(true);
    expect(await page.evaluate("document.documentElement.lang")).toBe("zh-CN");
    await context.close();
  });

  it("a phone's menu leads to the pages and closes behind one", async () => {
    const { page, context, trouble } = await openWindow(browser, world.consoleUrl, { ...DESK, width: 375 }, session);
    await page.goto("/app/wallet");
    await page.getByRole("button", { name: "Open menu" }).click();
    const menu = page.getByRole("dialog", { name: "Menu" });
    await menu.getByRole("link", { name: "Usage logs" }).waitFor();
    await keepScreenshot(page, "menu-en-light-375");
    expect(await sidewaysScrollers(page)).toEqual([]);
    await menu.getByRole("link", { name: "Channels" }).click();
    await page.getByRole("heading", { level: 1, name: "Channels" }).waitFor();
    await menu.waitFor({ state: "detached" });
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("the keyboard finds pages, channels, tokens and the search field", async () => {
    const { page, context, trouble } = await openWindow(browser, world.consoleUrl, DESK, session);
    await page.goto("/app/tokens");
    await settle(page);
    await page.keyboard.press("/");
    expect(await page.locator("input:focus").getAttribute("placeholder")).toBe("Search by name");
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Search pages, channels, users and tokens" });
    await palette.getByRole("combobox").fill("anthropic");
    await palette.getByRole("option", { name: "anthropic" }).waitFor();
    await keepScreenshot(page, "palette-en-light-1440");
    await page.keyboard.press("Escape");
    await palette.waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill("unlim");
    await palette.getByRole("option", { name: "unlimited" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Edit token" }).waitFor();
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("signing out leaves nothing behind for the next person", async () => {
    const { page, context } = await openWindow(browser, world.consoleUrl);
    await page.goto("/login");
    await signIn(page);
    await page.waitForURL("**/app/tokens");
    await page.getByRole("button", { name: "Account menu: Root User" }).click();
    await keepScreenshot(page, "account-menu-en-light-1440");
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/login");
    expect(await page.evaluate("fetch('/api/user/self').then((answer) => answer.status)")).toBe(401);
    await page.goto("/app/tokens");
    await page.waitForURL("**/login?returnTo=*");
    await context.close();
  });
});
