import type { PriceValues } from "@turnpike/contract/options/price-changes";
import { getPriceValue } from "@turnpike/contract/options/price-changes";
import { findRule } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import { fromLiteLlm, isLiteLlmEntry } from "@turnpike/contract/pricing/rules/litellm-rules";
import { findRuleProblem, type PriceRule, type PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import type { Deployment } from "./deployments.ts";

/** Prices that YAML or JSON has as text are numbers. */
const withNumbers = (entry: Deployment["params"]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => {
      const isPrice =
        typeof value === "string" && /cost/.test(name) && value.trim() !== "" && Number.isFinite(Number(value));
      return [name, isPrice ? Number(value) : value];
    }),
  );

/** The prices that a deployment sets itself, else those of its base model, under which LiteLLM bills it. */
function readRule({ params, info, sealed }: Deployment, catalogue: PriceRules): PriceRule | undefined {
  const entry = { mode: "chat", ...withNumbers(info), ...withNumbers(sealed.length > 0 ? {} : params) };
  const own = isLiteLlmEntry(entry) ? fromLiteLlm(entry) : undefined;
  if (own) return own;
  const base = info["base_model"];
  if (typeof base !== "string") return undefined;
  return findRule(catalogue, base) ?? findRule(catalogue, base.slice(base.indexOf("/") + 1));
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The option PriceRules with the prices of a model list: one price a model, which the operator's entries here precede. `undefined`
 * where it does not change.
 */
export function joinPrices(
  deployments: readonly Deployment[],
  { stored, catalogue }: { readonly stored: PriceValues; readonly catalogue: PriceRules },
): { readonly value: string | undefined; readonly count: number; readonly notes: readonly string[] } {
  const before = JSON.parse(getPriceValue(stored, "PriceRules")) as Record<string, unknown>;
  const found = new Map<string, PriceRule>();
  const notes: string[] = [];
  for (const deployment of deployments) {
    const { name } = deployment;
    const rule = readRule(deployment, catalogue);
    if (!rule) continue;
    const known = found.get(name);
    const problem = findRuleProblem(rule);
    if (problem) notes.push(`price of ${name} is left out: ${problem.path} is not valid here`);
    else if (!known) found.set(name, rule);
    else if (!isSame(known, rule))
      notes.push(`model ${name} has several prices in LiteLLM; a model has one here, the first`);
  }
  const added = [...found].filter(([name, rule]) => {
    if (Object.hasOwn(before, name) && !isSame(before[name], rule))
      notes.push(`model ${name} has a price of its own here, which stays`);
    return !Object.hasOwn(before, name);
  });
  const value = added.length === 0 ? undefined : JSON.stringify({ ...before, ...Object.fromEntries(added) });
  return { value, count: found.size, notes };
}
