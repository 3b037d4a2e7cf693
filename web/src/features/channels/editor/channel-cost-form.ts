import { optionProblemInEnglish } from "@turnpike/contract/options/option-problems";
import {
  type ChannelCost,
  type CostSource,
  findCostProblem,
  readChannelCost,
} from "@turnpike/contract/pricing/channel-cost";
import { z } from "zod/mini";
import i18next from "i18next";
import { text } from "../../../lib/text/i18n-source.ts";
import { parseJson } from "../../../lib/api/parse-json.ts";

/** The fields of a channel's cost side in the editor; `cost_prices` is JSON as text. */
export type CostValues = {
  readonly cost_source: CostSource;
  readonly cost_factor: number;
  readonly cost_prices: string;
  readonly cost_group: string;
};

export const COST_SOURCE_LABELS: Readonly<Record<CostSource, string>> = {
  catalogue: text("价格目录"),
  table: text("自有价格表"),
  reported: text("上游在响应中报告的费用"),
  reseller: text("上级站点的价格表"),
};

export const COST_EXAMPLE = '{\n  "gpt-5": { "input": 1.25, "output": 10, "cache_read": 0.125 }\n}';

/** The stored text of a cost side as fields. */
export function toCostValues(stored: string): CostValues {
  const { source, factor = 1, prices, group = "" } = readChannelCost(stored) ?? { source: "catalogue" };
  return {
    cost_source: source,
    cost_factor: factor,
    cost_prices: prices === undefined ? "" : JSON.stringify(prices, null, 2),
    cost_group: group,
  };
}

const Prices = z.record(z.string(), z.unknown());

/** The fields as they are stored: "" for the catalogue's prices as they are. */
export function toCostText({
  cost_source: source,
  cost_factor: factor,
  cost_prices: prices,
  cost_group: group,
}: CostValues): string {
  if (source === "catalogue" && factor === 1) return "";
  const cost = {
    source,
    ...(factor === 1 ? {} : { factor }),
    ...(source === "table" ? { prices: (parseJson(Prices, prices) ?? {}) as ChannelCost["prices"] } : {}),
    ...(source === "reseller" && group.trim() !== "" ? { group: group.trim() } : {}),
  };
  return JSON.stringify(cost);
}

type CostProblem = { readonly field: keyof CostValues; readonly message: string };

/** What is wrong with the fields, in the language of the page; undefined for a valid cost side. */
export function findCostValuesProblem(values: CostValues): CostProblem | undefined {
  const isTable = values.cost_source === "table";
  if (isTable && parseJson(Prices, values.cost_prices) === undefined)
    return { field: "cost_prices", message: text("价格表必须是合法的 JSON 格式！") };
  const stored = toCostText(values);
  const problem = stored === "" ? undefined : findCostProblem(JSON.parse(stored));
  if (!problem) return undefined;
  const detail = i18next.language === "en" ? optionProblemInEnglish(problem.detail) : problem.detail;
  if (problem.path === "factor") return { field: "cost_factor", message: detail };
  return { field: problem.path === "group" ? "cost_group" : "cost_prices", message: `${problem.path}: ${detail}` };
}
