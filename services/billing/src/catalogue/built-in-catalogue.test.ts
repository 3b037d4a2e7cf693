import { optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { DEFAULT_MODELS_BY_TYPE } from "@turnpike/contract/api/models/default-models";
import { findModelPrice, type ModelPrice } from "@turnpike/contract/pricing/price-tables";
import { computeQuota, NO_USAGE, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { findRuleProblem } from "@turnpike/contract/pricing/rules/price-rule";
import { describe, expect, it } from "vitest";
import { getBuiltInRules } from "../prices/built-in-prices.ts";
import { getBuiltInCatalogue } from "@turnpike/shared/catalogue/built-in-catalogue";
import { LISTED_CHAT_MODELS, LISTED_PRICES, LISTED_VERSION } from "./listed-prices.ts";

const rules = getBuiltInRules({});
const tables = toPriceTables(optionsInForce([{ key: CATALOGUE_ROW, value: JSON.stringify({ rules }) }]));
const QUOTA_PER_UNIT = 500_000;
/** Short enough for the lowest price band. */
const TOKENS = 10_000;

function readPrice(model: string): ModelPrice {
  const price = findModelPrice(tables, model, model, false);
  if (!price) throw new Error(`no price for ${model}`);
  return price;
}
const charge = (model: string, usage: Partial<TokenUsage>): number =>
  computeQuota(readPrice(model), 1, QUOTA_PER_UNIT, { ...NO_USAGE, ...usage });
/** Dollars per million tokens in quota units. */
const calculateQuota = (dollars: number): number => {
  const units = Math.round((TOKENS * Math.round(dollars * 1e9)) / 2e9);
  return units === 0 && dollars > 0 ? 1 : units;
};

describe("built-in catalogue", () => {
  it("names its source, its license and its version", () => {
    expect(getBuiltInCatalogue()).toMatchObject({
      source: expect.stringContaining("litellm") as unknown,
      license: expect.stringContaining("MIT") as unknown,
      version: expect.stringMatching(/^\d+\.\d+/) as unknown,
      date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as unknown,
    });
  });

  it("has valid rules only", () => {
    const problems = Object.entries(rules).flatMap(([name, rule]) => {
      const problem = findRuleProblem(rule);
      return problem ? [`${name}${problem.path}: ${problem.detail}`] : [];
    });
    expect(problems).toEqual([]);
  });

  it("prices at least 95 % of the current chat models of the seven providers, as of its own version of the list", () => {
    expect(LISTED_VERSION).toBe(getBuiltInCatalogue().version);
    expect(LISTED_CHAT_MODELS.length).toBeGreaterThan(200);
    const unpriced = LISTED_CHAT_MODELS.filter((model) => !findModelPrice(tables, model, model, false));
    expect(unpriced.slice(Math.floor(LISTED_CHAT_MODELS.length * 0.05))).toEqual([]);
  });

  it("is compared with the list at sixty models or more", () => {
    expect(new Set(LISTED_PRICES.map(([model]) => model)).size).toBeGreaterThanOrEqual(60);
  });

  it.each(LISTED_PRICES)("charges %s as listed", (model, ...listed) => {
    const [input, output, cacheRead, cacheWrite, audioInput, audioOutput] = listed;
    const usages: readonly (readonly [number | undefined, Partial<TokenUsage>])[] = [
      [input, { promptTokens: TOKENS }],
      [output, { completionTokens: TOKENS }],
      [cacheRead, { promptTokens: TOKENS, cacheReadTokens: TOKENS }],
      [cacheWrite, { promptTokens: TOKENS, cacheWriteTokens: TOKENS }],
      [audioInput, { promptTokens: TOKENS, audioPromptTokens: TOKENS }],
      [audioOutput, { completionTokens: TOKENS, audioCompletionTokens: TOKENS }],
    ];
    const known = usages.flatMap(([dollars, usage]) => (dollars === undefined ? [] : [{ dollars, usage }]));
    const charged = known.map(({ usage }) => ({ usage, quota: charge(model, usage) }));
    expect(charged).toEqual(known.map(({ dollars, usage }) => ({ usage, quota: calculateQuota(dollars) })));
  });

  it("finds a model by its snapshot, its alias, its vendor and its reasoning effort", () => {
    const sonnet = readPrice("claude-sonnet-4-5");
    for (const name of [
      "claude-sonnet-4-5-20250929",
      "claude-sonnet-4-5-20991231",
      "claude-sonnet-4-5@20250929",
      "anthropic/claude-sonnet-4-5",
      "claude-sonnet-4-5-20250929-thinking",
    ])
      expect(readPrice(name).weights).toEqual(sonnet.weights);
    expect(readPrice("openai/gpt-5.4-2027-01-01").shape?.tiers.has("priority")).toBe(true);
    expect(readPrice("ft:gpt-4o-2024-08-06:org::id").weights.input).toBe(1.875);
    expect(findModelPrice(tables, "nobody-knows-2025-01-01", "constructor", false)).toBeUndefined();
  });

  it("prices the default models of every channel type that it lists", () => {
    for (const type of ["1", "14", "24", "34", "42", "43", "48"]) {
      const models = DEFAULT_MODELS_BY_TYPE[type] ?? [];
      expect(models.length).toBeGreaterThan(3);
      expect(models.filter((model) => !findModelPrice(tables, model, model, false))).toEqual([]);
    }
  });
});
