import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What to look for: all that axe knows, what the standards ask for, or contrast alone, the one thing that a theme decides. */
type Rules = "all" | "standards" | "contrast";

/** Barriers on the page that axe calls serious or critical. */
export async function barriersOf(page: Page, rules: Rules = "standards"): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (rules === "standards") axe.withTags(STANDARDS);
  if (rules === "contrast") axe.withRules("color-contrast");
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
    );
}
