import type { Page } from "playwright-core";
import { findViolations } from "../accessibility.ts";
import { keepScreenshot, keepsScreenshots, type Look, settle, getSize } from "../browser.ts";
import { type ConsoleWorld, startConsoleWorld } from "../console-world.ts";
import { sidewaysScrollers, stillness, getTexts } from "../in-page.ts";
import { addUsers } from "./tour-users.ts";
import { furnish } from "./tour-calls.ts";

/** A page and the actions before it is checked; `part` limits the accessibility check to what this stop adds. */
export type Stop = {
  readonly name: string;
  readonly path: string;
  readonly open?: (page: Page) => Promise<void>;
  readonly part?: string;
};

const waitForDialog = (page: Page): Promise<void> => page.getByRole("dialog").waitFor();
const dialog = { open: waitForDialog, part: "[role=dialog]" };
const clickFirst =
  (selector: string) =>
  async (page: Page): Promise<void> => {
    await page.locator(selector).first().click();
  };

const openPriceDialog = async (page: Page): Promise<void> => {
  const pencil = page.locator("#prices .lucide-pencil").first();
  const menu = page.locator("#prices .lucide-ellipsis").first();
  await pencil.or(menu).first().waitFor();
  if (await pencil.isVisible()) await pencil.click();
  else {
    await menu.click();
    await page.getByRole("menuitem", { name: /^(Change price|修改价格)$/ }).click();
  }
  await waitForDialog(page);
};

const openRuleDialog = async (page: Page): Promise<void> => {
  await page.locator("#prices .lucide-ellipsis").first().click();
  await page.getByRole("menuitem", { name: /^(Bands and tiers|分段和等级)$/ }).click();
  await waitForDialog(page);
  await page.getByRole("button", { name: /^(Add band|添加分段)$/ }).click();
  for (const name of [
    /^(Add tier|添加等级)$/,
    /^(Add image price|添加图片价格)$/,
    /^(Add region|添加地区)$/,
    /^(OK|确定)$/,
  ])
    await page.getByRole("button", { name }).click();
};

const openPriceDetails = async (page: Page): Promise<void> => {
  await page
    .locator("main [aria-expanded=false]:has(.lucide-chevron-right), main li [aria-expanded=false]")
    .first()
    .click();
  await page
    .getByRole("region", { name: /^(Prices by tier and prompt length|各等级和分段的价格)$/ })
    .first()
    .waitFor();
};

/** A catalogue with a new price, a large change and a price that it lacks. */
const CATALOGUE = {
  "gpt-4o": { litellm_provider: "openai", mode: "chat", input_cost_per_token: 1e-5, output_cost_per_token: 4e-5 },
  "gpt-next": { litellm_provider: "openai", mode: "chat", input_cost_per_token: 1e-6, output_cost_per_token: 4e-6 },
};

const openCatalogue = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: /^(Compare price catalogues|比较价格目录)$/ }).click();
  await waitForDialog(page);
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("combobox").first().click();
  await page.getByRole("option", { name: /^(Upload a file|上传文件)$/ }).click();
  const buffer = Buffer.from(JSON.stringify(CATALOGUE));
  await sheet.locator("input[type=file]").setInputFiles({ name: "prices.json", mimeType: "application/json", buffer });
  await sheet.getByRole("button", { name: /^(Compare|比较)$/ }).click();
  await sheet.getByRole("list", { name: /^(Price differences|价格的差异)$/ }).waitFor();
};

/** Changes a price with bands and tiers, so that the history has one to show. */
const openHistory = async (page: Page): Promise<void> => {
  await page
    .locator("#prices")
    .getByRole("button", { name: /^(History|修改历史)$/ })
    .click();
  await waitForDialog(page);
  const list = page.getByRole("dialog").getByRole("list", { name: /^(Price history|价格的修改历史)$/ });
  await list
    .getByRole("button", { name: /^(Show the whole price|查看整个价格|.*more change.*|还有.*)$/ })
    .first()
    .click();
};

const openRehearsal = async (page: Page): Promise<void> => {
  await page
    .locator("#prices")
    .getByRole("button", { name: /^(Rehearse|试算)$/ })
    .click();
  await waitForDialog(page);
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("button", { name: /^(Rehearse|试算)$/ }).click();
  await sheet.getByRole("tablist").waitFor();
};

/** Opens a section of the sheet, and chooses where the channel's cost comes from. */
const openCost =
  (source: RegExp) =>
  async (page: Page): Promise<void> => {
    await waitForDialog(page);
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("button", { name: /^(Upstream cost|成本)/ }).click();
    await sheet.getByRole("combobox", { name: /^(Source of the cost|成本来源)$/ }).click();
    await page.getByRole("option", { name: source }).click();
    await sheet.getByRole("combobox", { name: /^(Source of the cost|成本来源)$/ }).scrollIntoViewIfNeeded();
  };

/** The pages of the menu. */
export const PAGES: readonly Stop[] = [
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
  { name: "api-reference", path: "/api-reference" },
  { name: "status", path: "/status" },
  { name: "channels", path: "/admin/channels" },
  { name: "codes", path: "/admin/coupons" },
  { name: "orders", path: "/admin/orders" },
  { name: "ledger", path: "/admin/ledger" },
  { name: "messages", path: "/admin/messages" },
  { name: "audit", path: "/admin/audit" },
  { name: "declared", path: "/admin/declared" },
  { name: "users", path: "/admin/users" },
  { name: "settings", path: "/admin/settings" },
];

/** Views behind the pages of the menu: editors, dialogs, expanded rows. */
const BEHIND: readonly Stop[] = [
  {
    name: "dashboard-margins",
    path: "/app/dashboard",
    open: (page) =>
      page.getByRole("heading", { name: /^(Upstream cost and margin|成本和毛利)$/ }).scrollIntoViewIfNeeded(),
  },
  { name: "pricing-details", path: "/pricing", open: openPriceDetails },
  { name: "price-catalogue", path: "/admin/settings", open: openCatalogue, part: "[role=dialog]" },
  { name: "price-history", path: "/admin/settings", open: openHistory, part: "[role=dialog]" },
  { name: "price-rehearsal", path: "/admin/settings", open: openRehearsal, part: "[role=dialog]" },
  { name: "channel-new", path: "/admin/channels/new", ...dialog },
  { name: "channel-edit", path: "/admin/channels/1", ...dialog },
  {
    name: "channel-cost-table",
    path: "/admin/channels/1",
    part: "[role=dialog]",
    open: openCost(/^(Own price table|自有价格表)$/),
  },
  {
    name: "channel-cost-reseller",
    path: "/admin/channels/1",
    part: "[role=dialog]",
    open: openCost(/^(Price list of the reseller above|上级站点的价格表)$/),
  },
  {
    name: "channels-by-tag",
    path: "/admin/channels?view=tags",
    open: clickFirst("main button[aria-expanded=false]:has(.lucide-tags)"),
  },
  { name: "channel-report", path: "/admin/channels/1/report", ...dialog },
  { name: "channel-health", path: "/admin/channels/1/health", ...dialog },
  { name: "tag-edit", path: "/admin/channels/tags/spare", ...dialog },
  { name: "token-usage", path: "/app/tokens/1/usage", ...dialog },
  { name: "token-new", path: "/app/tokens/new", ...dialog },
  { name: "token-edit", path: "/app/tokens/3", ...dialog },
  { name: "code-new", path: "/admin/coupons/new", ...dialog },
  { name: "me-security", path: "/app/me?tab=security" },
  { name: "me-notification", path: "/app/me?tab=notification" },
  { name: "register", path: "/register" },
  { name: "reset", path: "/reset" },
  { name: "reset-link", path: "/user/reset?email=ada%40example.com&token=0" },
  { name: "inbox-message", path: "/app/inbox/1" },
  { name: "message-readers", path: "/admin/messages/1/recipients", ...dialog },
  {
    name: "audit-details",
    path: "/admin/audit?area=user",
    open: clickFirst("main [aria-expanded=false]:has(.lucide-chevron-right), main li [aria-expanded=false]"),
  },
  { name: "message-new", path: "/admin/messages/new", ...dialog },
  { name: "user-new", path: "/admin/users/new", ...dialog },
  { name: "user-edit", path: "/admin/users/1", ...dialog },
  { name: "settings-json", path: "/admin/settings", open: clickFirst('[role=tab]:text-is("JSON")') },
  { name: "settings-unpriced", path: "/admin/settings", open: clickFirst("[role=tab][id$=-unset]") },
  { name: "settings-price", path: "/admin/settings", ...dialog, open: openPriceDialog },
  { name: "settings-rule", path: "/admin/settings", ...dialog, open: openRuleDialog },
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

/**
 * Pages checked per language: all pages in English, whose words are the longest and must not contain Chinese. Chinese
 * is the source language of the texts: in runs without screenshots only the pages of the menu are checked in it.
 */
export const stopsIn = (language: Look["language"]): readonly Stop[] =>
  language === "en" || keepsScreenshots() ? [...PAGES, ...BEHIND] : PAGES;

type Theme = "light" | "dark";

/** Text and layout problems; neither depends on the theme. */
async function findFaults(page: Page, { language, width }: Look): Promise<string[]> {
  const texts = await getTexts(page);
  const untranslated = language === "en" ? texts.filter((text) => /\p{Script=Han}/u.test(text)) : [];
  return [
    ...texts.filter((text) => /\{\{|\bundefined\b|\bNaN\b|\[object/.test(text)).map((text) => `unfilled: ${text}`),
    ...untranslated.map((text) => `Chinese: ${text}`),
    ...(width < 600 ? await sidewaysScrollers(page) : []),
  ];
}

type Looked = Look & { readonly theme: Theme };

/** Checks what the window shows: takes a screenshot for review and runs the checks of this test. */
async function look(page: Page, { name, part }: Stop, { language, width, theme }: Looked): Promise<string[]> {
  await stillness(page);
  await keepScreenshot(page, `${name}-${language}-${theme}-${width}`);
  // Axe results do not depend on the language, so one language is enough. Colours are the same at every width,
  // everything else in every theme; dialogs and menus above a page are the same at every width too.
  const isDesk = width === 1440;
  const barriers = async (): Promise<string[]> => {
    if (language !== "en" || (!isDesk && (theme === "dark" || part !== undefined))) return [];
    if (!isDesk) return findViolations(page, "structure");
    return findViolations(page, theme === "light" ? "standards" : "contrast", part);
  };
  return [...(theme === "light" ? await findFaults(page, { language, width }) : []), ...(await barriers())];
}

async function resize(page: Page, width: Look["width"]): Promise<void> {
  await page.setViewportSize(getSize(width));
  await settle(page);
}

/** Opens a page and checks it at the width it was loaded with and at the other width, in both themes. */
export async function visit(page: Page, stop: Stop, { language, width }: Look): Promise<string[]> {
  const other = width === 375 ? 1440 : 375;
  await page.goto(stop.path);
  await settle(page);
  await stop.open?.(page);
  await settle(page);
  const found = await look(page, stop, { language, width, theme: "light" });
  await resize(page, other);
  found.push(...(await look(page, stop, { language, width: other, theme: "light" })));
  // Without screenshots, the dark theme is only checked for contrast.
  if (keepsScreenshots() || language === "en") {
    await page.emulateMedia({ colorScheme: "dark" });
    found.push(...(await look(page, stop, { language, width: other, theme: "dark" })));
  }
  if (keepsScreenshots()) {
    await resize(page, width);
    found.push(...(await look(page, stop, { language, width, theme: "dark" })));
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(getSize(width));
  return found;
}

/** A site with one of everything that the pages can show. */
export const startTour = (): Promise<ConsoleWorld> =>
  startConsoleWorld(
    async (world, upstream) => {
      await furnish(world, upstream);
      await addUsers(world);
    },
    // The tour opens more pages in three minutes than a person does.
    { env: { GLOBAL_API_RATE_LIMIT: "100000" } },
  );
