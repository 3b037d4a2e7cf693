import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Which axe rules to run: all, the standards only, contrast only, or all except contrast. */
type Rules = "all" | "standards" | "contrast" | "structure";

// Axe reports every passed element with its selector; that costs as much as the check itself, and is not used.
const BARRIERS_ALONE = { resultTypes: ["violations" as const], selectors: false };

/** WCAG 2.5.3, label in name: axe tests it only where it is enabled by name. */
const NAMES = { rules: { "label-content-name-mismatch": { enabled: true } } };

/** Axe is half a megabyte of script: it is injected once per page. Frames may have been added since. */
async function sourceFor(page: Page): Promise<{ axeSource?: string }> {
  const isThere = page.frames().length === 1 && (await page.evaluate<boolean>("typeof axe === 'object'"));
  return isThere ? { axeSource: "undefined" } : {};
}

/** Axe violations of any impact on the page, or in a part of it. */
export async function findViolations(page: Page, rules: Rules = "standards", part?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page, ...(await sourceFor(page)) }).setLegacyMode().options({ ...BARRIERS_ALONE });
  if (rules === "standards" || rules === "structure") axe.options({ ...BARRIERS_ALONE, ...NAMES }).withTags(STANDARDS);
  if (rules === "structure") axe.disableRules("color-contrast");
  if (rules === "contrast") axe.withRules("color-contrast");
  if (part !== undefined) axe.include(part);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
  );
}
