import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { testBacking } from "../lib/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";
import { keepScreenshot, openWindow, type SessionState, settle, signIn, sizeOf, startBrowser } from "./browser.ts";
import { sidewaysScrollers, textsOf } from "./in-page.ts";
import { furnish } from "./tour-shop.ts";

let world: World;
let upstream: FakeUpstream;
let browser: Browser;
let session: SessionState;
let menu: string[] = [];

beforeAll(async () => {
  upstream = await startFakeUpstream();
  [world, browser] = await Promise.all([startWorld({ backing: testBacking(), withConsole: true }), startBrowser()]);
  await furnish(world, upstream);
  const { page, context } = await openWindow(browser, world.consoleUrl);
  await page.goto("/login");
  await signIn(page);
  await page.waitForURL("**/app/tokens");
  const links = page.getByRole("navigation", { name: "Main navigation" }).getByRole("link");
  await links.first().waitFor();
  menu = await links.evaluateAll((all) => all.map((link) => String((link as { pathname?: string }).pathname)));
  session = await context.storageState();
  session.origins = session.origins.map((origin) => ({
    ...origin,
    localStorage: origin.localStorage.filter(({ name }) => name === "user"),
  }));
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

/** What lies behind the pages of the menu: editors, dialogs, rows laid open. */
const BEHIND: readonly Stop[] = [
  { name: "channel-new", path: "/admin/channels/new", open: dialog },
  { name: "channel-edit", path: "/admin/channels/1", open: dialog },
  { name: "token-new", path: "/app/tokens/new", open: dialog },
  { name: "token-edit", path: "/app/tokens/3", open: dialog },
  { name: "coupon-new", path: "/admin/coupons/new", open: dialog },
  { name: "settings-json", path: "/admin/settings", open: clickFirst('[role=tab]:text-is("JSON")') },
  { name: "settings-system", path: "/admin/settings?tab=system" },
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

const WIDTHS = [1440, 375] as const;

/** Looks at what the window shows in every theme at every width, beginning with the width it was opened at. */
async function lookAround(page: Page, name: string, { language, width }: Scope): Promise<string[]> {
  const found: string[] = [];
  // oxlint-disable no-await-in-loop -- one window, one look after the other
  for (const now of [...WIDTHS].sort((left) => (left === width ? -1 : 1))) {
    await page.setViewportSize(sizeOf(now));
    await settle(page);
    found.push(...(await faultsOf(page, { language, width: now })));
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await keepScreenshot(page, `${name}-${language}-${theme}-${now}`);
      // The words do not matter to these rules, so one language is enough.
      if (language === "en") found.push(...(await barriersOf(page, theme)));
    }
  }
  // oxlint-enable no-await-in-loop
  return found;
}

async function visit(page: Page, stop: Stop, scope: Scope): Promise<string[]> {
  await page.setViewportSize(sizeOf(scope.width));
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(stop.path);
  await settle(page);
  await stop.open?.(page);
  return lookAround(page, stop.name, scope);
}

/** Each page is loaded once as on a desk and once as on a phone, then looked at in every way. */
const scopes: Scope[] = [
  { language: "zh", width: 1440 },
  { language: "en", width: 375 },
];

describe.each(scopes)("in $language, loaded at $width px, light and dark, wide and narrow", (scope) => {
  it("every page is free of errors, untranslated text, sideways scrolling and barriers", async () => {
    const { page, context, trouble } = await openWindow(browser, world.consoleUrl, scope, session);
    const stops: Stop[] = [...menu.map((path) => ({ path, name: path.split("/").at(-1) ?? path })), ...BEHIND];
    const found: Record<string, string[]> = {};
    for (const stop of stops) {
      // oxlint-disable-next-line no-await-in-loop -- one window
      const problems = [...(await visit(page, stop, scope)), ...trouble.splice(0)];
      if (problems.length > 0) found[stop.name] = problems;
    }
    await context.close();
    expect(menu.length).toBeGreaterThanOrEqual(8);
    expect(found).toEqual({});
  });
});
