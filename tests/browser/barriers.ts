import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Barriers on the page that axe calls serious or critical; `contrastOnly` for a look at another theme. */
export async function barriersOf(page: Page, { contrastOnly = false } = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (contrastOnly ? axe.withRules("color-contrast") : axe.withTags(STANDARDS)).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
    );
}
