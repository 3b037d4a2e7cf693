import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/dollars";
import type { PriceRule } from "@turnpike/contract/pricing/rules/price-rule";
import { tidy } from "@turnpike/contract/pricing/rules/rule-rates";
import { isRecord, type Json, readAmount, type StatedPrice, unreadable, withoutUndefined } from "./catalogue-json.ts";
import { readPriceDetails } from "./price-details.ts";

/** The ratios of a model, by the family's field names. */
const RATIOS = [
  "model_ratio",
  "completion_ratio",
  "cache_ratio",
  "create_cache_ratio",
  "image_ratio",
  "audio_ratio",
  "audio_completion_ratio",
] as const;
type RatioName = (typeof RATIOS)[number];
type Ratios = Readonly<Partial<Record<RatioName, number | undefined>>>;

const times = (base: number | undefined, ratio: number | undefined): number | undefined =>
  base === undefined || ratio === undefined ? undefined : tidy(base * ratio);

function fromRatios(ratios: Ratios): PriceRule | undefined {
  const input = times(DOLLARS_PER_MILLION, ratios.model_ratio);
  if (input === undefined) return undefined;
  const audio = times(input, ratios.audio_ratio);
  return withoutUndefined({
    input,
    output: times(input, ratios.completion_ratio),
    cache_read: times(input, ratios.cache_ratio),
    cache_write: times(input, ratios.create_cache_ratio),
    image_input: times(input, ratios.image_ratio),
    audio_input: audio,
    audio_output: times(audio ?? input, ratios.audio_completion_ratio),
  });
}

const toStated = (model: string, rule: PriceRule | undefined): readonly StatedPrice[] =>
  rule ? [{ model, rule, isWhole: false }] : [];

/** The family's `/api/ratio_config`: tables of ratios by model. A Turnpike adds whole rules of models. */
export function readRatioConfig(body: Json): readonly StatedPrice[] {
  const data = isRecord(body["data"]) ? body["data"] : body;
  const table = (field: string): Json => {
    const value = data[field] ?? {};
    if (!isRecord(value)) throw unreadable(`data.${field}`, "必须是对象");
    return value;
  };
  const tables = RATIOS.map((name) => [name, table(name)] as const);
  const [prices, rules] = [table("model_price"), table("price_rules")];
  const byTokens = Object.keys(table("model_ratio")).flatMap((model) => {
    const ratios = tables.map(([name, ratio]) => [name, readAmount(ratio, model, `data.${name}`)] as const);
    return toStated(model, fromRatios(Object.fromEntries(ratios)));
  });
  const byCall = Object.keys(prices).flatMap((model) => {
    const price = readAmount(prices, model, "data.model_price");
    return toStated(model, price === undefined ? undefined : { per_call: price });
  });
  const whole = Object.entries(rules).map(([model, rule]) => ({ model, rule: rule as PriceRule, isWhole: true }));
  return [...byTokens, ...byCall, ...whole];
}

const PER_CALL = 1;

function readRow(row: Json, path: string): PriceRule | undefined {
  if (row["quota_type"] === PER_CALL) {
    const price = readAmount(row, "model_price", path);
    return price === undefined ? undefined : { per_call: price };
  }
  const ratios = RATIOS.map((name) => [name, readAmount(row, name, path)] as const);
  return fromRatios(Object.fromEntries(ratios));
}

/** The family's `/api/pricing`: a list of models. A Turnpike adds their details. */
export function readPricing(body: Json): readonly StatedPrice[] {
  const rows = body["data"];
  if (!Array.isArray(rows)) throw unreadable("data", "必须是数组");
  return rows.flatMap((row: unknown, index): readonly StatedPrice[] => {
    const path = `data[${index}]`;
    if (!isRecord(row) || typeof row["model_name"] !== "string") throw unreadable(`${path}.model_name`, "必须是文本");
    // A Turnpike also lists models that it has no price for.
    if (row["is_set"] === false) return [];
    const details = isRecord(row["details"]) ? readPriceDetails(row["details"], `${path}.details`) : undefined;
    if (details) return [{ model: row["model_name"], rule: details, isWhole: true, unstated: ["per_search"] }];
    return toStated(row["model_name"], readRow(row, path));
  });
}
