import type { LogRow } from "./test-site.ts";

type Surcharge = { readonly count: number; readonly price: number; readonly per: number };

/** Tokens at their price in dollars per million. */
type Line = { readonly tokens: number; readonly price: number };

/** A fraction, since floats cannot represent ratios exactly. */
type Fraction = { readonly top: bigint; readonly bottom: bigint };

function fraction(value: number): Fraction {
  const [whole = "0", digits = ""] = value.toFixed(12).split(".");
  return { top: BigInt(whole + digits), bottom: 10n ** BigInt(digits.length) };
}
const times = (a: Fraction, b: Fraction): Fraction => ({ top: a.top * b.top, bottom: a.bottom * b.bottom });
const plus = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
});
const sum = (parts: readonly Fraction[]): Fraction => parts.reduce(plus, fraction(0));
const product = (...values: readonly number[]): Fraction => values.map(fraction).reduce(times, fraction(1));
const rounded = ({ top, bottom }: Fraction): number => Number((top * 2n + bottom) / (bottom * 2n));

function getTokens(row: LogRow, other: Readonly<Record<string, number>>): Fraction {
  const { cache_tokens: cached = 0, cache_creation_tokens: written = 0, cache_creation_tokens_1h: long = 0 } = other;
  const { audio_input: audioIn = 0, audio_output: audioOut = 0, image_input: image = 0 } = other;
  // Rows of Anthropic callers exclude tokens read from and written to the cache from the prompt.
  const prompt = other["claude"] ? row.prompt_tokens : row.prompt_tokens - cached - written;
  const audioRatio = other["audio_input_price"] === undefined ? (other["audio_ratio"] ?? 1) : 0;
  return sum([
    product(prompt - audioIn - image),
    product(cached, other["cache_ratio"] ?? 1),
    product(written - long, other["cache_creation_ratio"] ?? 1),
    product(long, other["cache_creation_ratio_1h"] ?? 1),
    product(audioIn, audioRatio),
    product(image, other["image_ratio"] ?? 1),
    product(row.completion_tokens - audioOut, other["completion_ratio"] ?? 1),
    product(audioOut, audioRatio, other["audio_completion_ratio"] ?? 1),
  ]);
}

/** The expected cost of a log row, calculated from the row alone. */
export function getRowQuota(row: LogRow): number {
  const other = JSON.parse(row.other) as Readonly<Record<string, number>>;
  const {
    group_ratio: groupRatio = 1,
    response_cache_ratio: cachedRatio = 1,
    region_ratio: regionRatio = 1,
    quota_per_unit: perUnit = 0,
    model_price: price = -1,
    model_ratio: ratio = 0,
    price_units: units,
  } = other;
  const { lines } = other as { readonly lines?: readonly Line[] };
  const surcharges = ((other as { surcharges?: unknown })["surcharges"] ?? []) as readonly Surcharge[];
  const dollars = sum(
    surcharges.map(({ count, price: each, per }) => product(count, each * (1_000_000 / per), 0.000001)),
  );
  const added = times(dollars, product(perUnit, groupRatio, cachedRatio));
  if (row.prompt_tokens + row.completion_tokens === 0) return 0;
  if (price >= 0) return rounded(plus(product(price, units ?? 1, perUnit, groupRatio, cachedRatio), added));
  const isByPiece = units !== undefined && row.completion_tokens === 0;
  const main = isByPiece
    ? product(0.0025, ratio, units, perUnit, groupRatio, cachedRatio)
    : lines
      ? times(sum(lines.map(({ tokens, price: each }) => product(tokens, each))), product(0.5, groupRatio, cachedRatio))
      : times(getTokens(row, other), product(ratio, groupRatio, cachedRatio));
  const exact = times(plus(main, added), product(regionRatio));
  return exact.top === 0n ? 0 : Math.max(1, rounded(exact));
}
