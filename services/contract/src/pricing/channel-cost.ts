import { z } from "zod/mini";
import { findModelPrice, type ModelPrice, type PriceTables } from "./price-tables.ts";
import { divideRounded, SCALE, toScaled } from "./decimal.ts";
import type { ShapeProblem } from "../errors/shape-problem.ts";
import { findRuleProblem, type PriceRule, type PriceRules } from "./rules/price-rule.ts";
import { DEFAULT_TOOL_PRICES } from "./tool-prices.ts";

/**
 * Where the cost of a channel's calls comes from: the catalogue's price, the operator's own table, what upstream reports with each
 * response, or the price list of the reseller that the channel is an account of.
 */
export const COST_SOURCES = ["catalogue", "table", "reported", "reseller"] as const;
export type CostSource = (typeof COST_SOURCES)[number];

/**
 * The cost side of a channel as stored: JSON text. `factor` multiplies every amount (1 by default; a discount, or the rate of another
 * currency). `prices` is the table, in the shapes of `PriceRules`; `group` the account's group at the reseller.
 */
export type ChannelCost = {
  readonly source: CostSource;
  readonly factor?: number;
  readonly prices?: PriceRules;
  readonly group?: string;
};

/** What a channel without a cost side of its own has. */
export const DEFAULT_COST: ChannelCost = { source: "catalogue" };

const PRICES_MAX = 2_000;
const FACTOR = "必须是 0 到 1000 的数字";

const Fields = z.strictObject({
  source: z.enum(COST_SOURCES, `必须是其中之一：${COST_SOURCES.join(", ")}`),
  factor: z.optional(z.number(FACTOR).check(z.minimum(0, FACTOR), z.maximum(1_000, FACTOR))),
  prices: z.optional(z.record(z.string(), z.unknown())),
  group: z.optional(z.string().check(z.maxLength(64, "不能超过 64 个字符"))),
});

function findPricesProblem(prices: Readonly<Record<string, unknown>>): ShapeProblem | undefined {
  const entries = Object.entries(prices);
  if (entries.length === 0) return { path: "prices", detail: "不能为空" };
  if (entries.length > PRICES_MAX) return { path: "prices", detail: `不能超过 ${PRICES_MAX} 项` };
  for (const [model, rule] of entries) {
    const problem = findRuleProblem(rule);
    if (problem) return { ...problem, path: `prices[${JSON.stringify(model)}]${problem.path}` };
  }
  return undefined;
}

/** What is wrong with a cost side: the place (`prices["gpt-5"].input`) and a Chinese source sentence; undefined for a valid one. */
export function findCostProblem(value: unknown): ShapeProblem | undefined {
  const parsed = Fields.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = (issue?.path ?? []).map(String).join(".");
    if (issue?.code === "unrecognized_keys") return { path: issue.keys[0] ?? path, detail: "未知的字段" };
    return { path, detail: issue?.message ?? "无效" };
  }
  const { source, prices, group } = parsed.data;
  if (group !== undefined && source !== "reseller") return { path: "group", detail: "只用于上级站点的价格表" };
  if (source === "table") return prices ? findPricesProblem(prices) : { path: "prices", detail: "必须填写" };
  return prices === undefined ? undefined : { path: "prices", detail: "只用于自有价格表" };
}

/** Reads the stored text of a cost side; "" is the default one. Undefined for a text that is not a valid cost side. */
export function readChannelCost(text: string): ChannelCost | undefined {
  if (text.trim() === "") return DEFAULT_COST;
  try {
    const value: unknown = JSON.parse(text);
    return findCostProblem(value) ? undefined : (value as ChannelCost);
  } catch {
    return undefined;
  }
}

const NO_FALLBACK: PriceTables["fallback"] = { enabled: false, singlePrice: 0, inputRatio: 0, completionRatio: 0 };

/** Price tables with nothing but these prices: none of what the operator charges. */
const toCostTables = (prices: PriceRules, quotaPerUnit: number): PriceTables => ({
  modelRatio: {},
  completionRatio: {},
  modelPrice: {},
  cacheRatio: {},
  createCacheRatio: {},
  imageRatio: {},
  audioRatio: {},
  audioCompletionRatio: {},
  rules: {},
  catalogue: prices,
  toolPrices: DEFAULT_TOOL_PRICES,
  groupRatio: {},
  groupGroupRatio: {},
  cachedResponseRatio: 1,
  quotaPerUnit,
  selfUseModeEnabled: false,
  fallback: NO_FALLBACK,
});

/**
 * The price that upstream charges for a model: under the name that upstream knows it by, else under the name that callers use.
 * Undefined where the list has neither: the cost is then unknown.
 */
export function findCostPrice(
  prices: PriceRules,
  upstreamModel: string,
  requestedModel: string,
): ModelPrice | undefined {
  const tables = toCostTables(prices, 1);
  return findModelPrice(tables, upstreamModel, requestedModel, false);
}

/** Dollars that upstream reports, times a factor, in quota units: exact, rounded once, halves away from zero. */
export const toQuotaUnits = (dollars: number, factor: number, quotaPerUnit: number): number =>
  Number(divideRounded(toScaled(dollars) * toScaled(factor) * toScaled(quotaPerUnit), SCALE ** 3n));

/** A list of prices without the models that none of these names means; lists of resellers have hundreds. */
export const pickPrices = (prices: PriceRules, isNeeded: (model: string) => boolean): PriceRules =>
  Object.fromEntries(Object.entries(prices).filter((entry): entry is [string, PriceRule] => isNeeded(entry[0])));
