import {
  TOKEN_KINDS,
  type PriceBand,
  type PriceRule,
  type PriceTier,
  type Rates,
  type TokenKind,
} from "./price-rule.ts";

/**
 * An entry of LiteLLM's `model_prices_and_context_window.json`: prices are dollars per token, per image, per second and
 * so on.
 */
export type LiteLlmEntry = Readonly<Record<string, unknown>>;

const TOKEN_FIELDS: Readonly<Record<string, TokenKind>> = {
  input_cost_per_token: "input",
  output_cost_per_token: "output",
  cache_read_input_token_cost: "cache_read",
  cache_creation_input_token_cost: "cache_write",
  cache_creation_input_token_cost_above_1hr: "cache_write_1h",
  // A provider sells one long lifetime: Anthropic an hour, OpenAI twelve.
  cache_creation_input_token_cost_above_12hr: "cache_write_1h",
  input_cost_per_audio_token: "audio_input",
  output_cost_per_audio_token: "audio_output",
  cache_read_input_audio_token_cost: "audio_cache_read",
  input_cost_per_image_token: "image_input",
  output_cost_per_image_token: "image_output",
  cache_read_input_image_token_cost: "image_cache_read",
  input_cost_per_video_token: "video_input",
  output_cost_per_video_token: "video_output",
  output_cost_per_reasoning_token: "reasoning",
};

/** LiteLLM's endings of tiers, and the names of these tiers in responses. */
const TIER_ENDINGS: Readonly<Record<string, string>> = {
  batches: "batch",
  flex: "flex",
  priority: "priority",
  ultrafast: "ultrafast",
};

const FIELD = /^(?<base>.+?)(?:_above_(?<thousands>\d+)k_tokens)?(?:_(?<ending>batches|flex|priority|ultrafast))?$/;

const DIGITS = 12;
const PER_MILLION = 1_000_000;

/** Removes rounding errors of floating point: prices have far fewer digits. */
const tidy = (value: number): number => Number(value.toPrecision(DIGITS));

const toAmount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;

/** Whether an entry has LiteLLM's field names. */
export const isLiteLlmEntry = (entry: unknown): entry is LiteLlmEntry =>
  typeof entry === "object" &&
  entry !== null &&
  Object.keys(entry).some((name) => /_cost_per_|_token_cost|^tiered_pricing$/.test(name));

/** Rates by tier ("" is the standard one) and by the prompt length above which they hold (0 is the lowest band). */
type Collected = Map<string, Map<number, Record<string, number>>>;

/** Adds the price of a field to its tier and band, if it is one for tokens. */
function collectField(
  collected: Collected,
  field: { base: string; tier: string; above: number },
  value: unknown,
): void {
  const { base, tier, above } = field;
  const kind = TOKEN_FIELDS[base];
  const dollars = toAmount(value);
  if (kind === undefined || dollars === undefined) return;
  const bands = collected.get(tier) ?? new Map<number, Record<string, number>>();
  collected.set(tier, bands);
  bands.set(above, { ...bands.get(above), [kind]: tidy(dollars * PER_MILLION) });
}

/** Alibaba's bands: a list of prices with the range of prompt lengths each is for. */
function collectSteps(collected: Collected, steps: unknown): void {
  for (const step of Array.isArray(steps) ? (steps as LiteLlmEntry[]) : []) {
    const above = Array.isArray(step["range"]) ? Number(step["range"][0]) : Number.NaN;
    if (!Number.isInteger(above)) continue;
    for (const [base, value] of Object.entries(step)) collectField(collected, { base, tier: "", above }, value);
  }
}

function collect(entry: LiteLlmEntry): Collected {
  const collected: Collected = new Map();
  for (const [name, value] of Object.entries(entry)) {
    const { base = "", thousands = "0", ending = "" } = FIELD.exec(name)?.groups ?? {};
    const place = { base, tier: TIER_ENDINGS[ending] ?? "", above: Number(thousands) * 1_000 };
    collectField(collected, place, value);
  }
  collectSteps(collected, entry["tiered_pricing"]);
  return collected;
}

const inOrder = (rates: Readonly<Record<string, number>>): Rates =>
  Object.fromEntries(TOKEN_KINDS.flatMap((kind) => (rates[kind] === undefined ? [] : [[kind, rates[kind]]])));

/** The rates of one tier. A band without an input price of its own prices too little to be one. */
function toTier(bands: ReadonlyMap<number, Readonly<Record<string, number>>>): PriceTier {
  const higher = [...bands].filter(([above, rates]) => above > 0 && rates["input"] !== undefined);
  const list = higher.toSorted(([a], [b]) => a - b).map(([above, rates]): PriceBand => ({ above, ...inOrder(rates) }));
  return { ...inOrder(bands.get(0) ?? {}), ...(list.length === 0 ? {} : { bands: list }) };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const amounts = (value: unknown): Record<string, number> =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).flatMap(([name, amount]) => {
      const known = toAmount(amount);
      return known === undefined ? [] : [[name, known]];
    }),
  );

/** A speed with a factor on all prices of tokens. */
const timesRates = (rates: PriceTier, by: number): PriceTier => {
  const all = Object.fromEntries(
    TOKEN_KINDS.flatMap((kind) => (rates[kind] === undefined ? [] : [[kind, tidy(rates[kind] * by)]])),
  );
  const bands = rates.bands?.map((band) => ({ above: band.above, ...timesRates({ ...band }, by) }));
  return { ...all, ...(bands ? { bands } : {}) };
};

const REGIONAL = /^regional_processing_uplift_multiplier_(\w+)$/;
const SPEEDS: ReadonlySet<string> = new Set(["fast"]);

/** Anthropic's factors stand together under one field: speeds and regions. */
function toFactors(entry: LiteLlmEntry): { readonly speeds: [string, number][]; readonly regions: [string, number][] } {
  const special = Object.entries(amounts(entry["provider_specific_entry"])).filter(([, by]) => by > 0);
  const uplifts = Object.entries(entry).flatMap(([name, value]): [string, number][] => {
    const region = REGIONAL.exec(name)?.[1];
    const by = toAmount(value);
    return region !== undefined && by !== undefined && by > 0 ? [[region, by]] : [];
  });
  return {
    speeds: special.filter(([name]) => SPEEDS.has(name)),
    regions: [...uplifts, ...special.filter(([name]) => /^[a-z]{2}$/.test(name))],
  };
}

/** The highest of the amounts that an entry has under some names. */
function highest(entry: LiteLlmEntry, ...names: readonly string[]): number | undefined {
  const known = names.flatMap((name) => toAmount(entry[name]) ?? []);
  return known.length === 0 ? undefined : Math.max(...known);
}

const BY_RESOLUTION = /^output_cost_per_image_(?<resolution>\dK)$/;

/** Dollars an image: one price, or prices by resolution ("1k"). */
function toImagePrice(entry: LiteLlmEntry, isTokens: boolean): PriceRule["per_image"] {
  if (!String(entry["mode"]).startsWith("image")) return undefined;
  const output = highest(entry, "output_cost_per_image");
  const resolutions = Object.entries(entry).flatMap(([name, value]): [string, number][] => {
    const resolution = BY_RESOLUTION.exec(name)?.groups?.["resolution"];
    const dollars = toAmount(value);
    return resolution === undefined || dollars === undefined ? [] : [[resolution.toLowerCase(), tidy(dollars)]];
  });
  if (resolutions.length === 0) {
    // The input's price is that of the whole image where a model has no other one.
    const dollars = output ?? (isTokens ? undefined : highest(entry, "input_cost_per_image"));
    return dollars === undefined ? undefined : tidy(dollars);
  }
  return { ...Object.fromEntries(resolutions), ...(output === undefined ? {} : { "*": tidy(output) }) };
}

/** Prices that are not for tokens. A search has up to three sizes, of which the relay does not know the one that ran. */
function toPieces(entry: LiteLlmEntry, isTokens: boolean): Partial<PriceRule> {
  const searches = Object.values(amounts(entry["search_context_cost_per_query"]));
  const pieces = {
    per_call: isTokens ? undefined : highest(entry, "input_cost_per_query", "input_cost_per_request"),
    per_second: entry["mode"] === "audio_transcription" ? highest(entry, "input_cost_per_second") : undefined,
    per_character: highest(entry, "input_cost_per_character"),
    per_page: highest(entry, "ocr_cost_per_page"),
    per_search: searches.length === 0 ? undefined : Math.max(...searches),
    per_map_query: highest(entry, "google_maps_grounding_cost_per_query"),
  };
  const image = toImagePrice(entry, isTokens);
  return {
    ...(image === undefined ? {} : { per_image: image }),
    ...Object.fromEntries(
      Object.entries(pieces).flatMap(([name, value]) => (value === undefined ? [] : [[name, tidy(value)]])),
    ),
  };
}

/**
 * The rule of an entry of LiteLLM's list: bands from `*_above_200k_tokens` (and `tiered_pricing`), tiers from `*_flex`, `*_priority`
 * and `*_batches`, speeds and regions from their factors. Undefined where the entry has no price that the relay can meter.
 */
export function fromLiteLlm(entry: LiteLlmEntry): PriceRule | undefined {
  const collected = collect(entry);
  const standard = toTier(collected.get("") ?? new Map());
  const isTokens = (standard.input ?? 0) + (standard.output ?? 0) > 0;
  const pieces = toPieces(entry, isTokens);
  const hasPieces = Object.keys(pieces).some((name) => name !== "per_search" && name !== "per_map_query");
  if (standard.input === undefined && !hasPieces) return undefined;
  if (!isTokens && hasPieces) return pieces;
  const { speeds, regions } = toFactors(entry);
  const named = [...collected].filter(([tier, bands]) => tier !== "" && bands.get(0)?.["input"] !== undefined);
  const tiers = [
    ...named.map(([tier, bands]): [string, PriceTier] => [tier, toTier(bands)]),
    ...speeds.map(([speed, by]): [string, PriceTier] => [speed, timesRates(standard, by)]),
  ];
  return {
    ...standard,
    ...(standard.output === undefined ? { output: standard.image_output ?? 0 } : {}),
    ...(tiers.length === 0 ? {} : { tiers: Object.fromEntries(tiers) }),
    ...(regions.length === 0 ? {} : { regions: Object.fromEntries(regions) }),
    ...pieces,
  };
}
