import { z } from "zod/mini";
import { findShapeProblem, type ShapeProblem } from "../../errors/shape-problem.ts";

/** The kinds of tokens that a rule may price, in dollars per million. Cached audio and images are parts of the cache reads. */
export const TOKEN_KINDS = [
  "input",
  "output",
  "cache_read",
  "cache_write",
  "cache_write_1h",
  "audio_input",
  "audio_output",
  "audio_cache_read",
  "image_input",
  "image_output",
  "image_cache_read",
  "video_input",
  "video_output",
  "reasoning",
] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Dollars per million tokens, by kind. */
export type Rates = { readonly [Kind in TokenKind]?: number };

/** The prices of a whole call whose prompt has more than `above` tokens. */
export type PriceBand = Rates & { readonly above: number };

/** The prices of one service tier or speed. */
export type PriceTier = Rates & { readonly bands?: readonly PriceBand[] };

/**
 * The price of a model as its provider bills it. Kinds without a price follow the nearest one that has one; see rule-rates.ts.
 * `per_image` is dollars an image: one price, or prices by "quality/size", size or quality, "*" for all others.
 */
export type PriceRule = Rates & {
  readonly bands?: readonly PriceBand[];
  /** By the name of the tier in responses: "priority", "flex", "batch", "fast". */
  readonly tiers?: Readonly<Record<string, PriceTier>>;
  /** Factors on the whole price, by the region that processes the call. */
  readonly regions?: Readonly<Record<string, number>>;
  readonly per_call?: number;
  readonly per_image?: number | Readonly<Record<string, number>>;
  /** Dollars a second of audio. */
  readonly per_second?: number;
  readonly per_character?: number;
  readonly per_page?: number;
  readonly per_search?: number;
  /** Dollars a query of Google Maps. */
  readonly per_map_query?: number;
};

export type PriceRules = Readonly<Record<string, PriceRule>>;

/** No price of a rule is higher. */
export const DOLLARS_MAX = 1_000_000;
/** Characters of a kind of image. */
export const PIECE_KIND_LENGTH_MAX = 64;
const dollars = z
  .number("必须是不小于 0 的数字")
  .check(z.minimum(0, "必须是不小于 0 的数字"), z.maximum(DOLLARS_MAX, "不能大于 1000000"));
const factor = z
  .number("必须是大于 0 的数字")
  .check(z.positive("必须是大于 0 的数字"), z.maximum(1_000, "不能大于 1000"));
const optionalDollars = z.optional(dollars);
const rateFields = Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, optionalDollars])) as Record<
  TokenKind,
  typeof optionalDollars
>;

const Above = z.int("必须是大于 0 的整数").check(z.positive("必须是大于 0 的整数"));
const Bands = z.array(z.strictObject({ above: Above, ...rateFields })).check(
  z.minLength(1, "不能为空"),
  z.maxLength(20, "不能超过 20 项"),
  z.superRefine((bands, context) => {
    for (const [index, { above }] of bands.entries()) {
      if (index > 0 && above <= (bands[index - 1]?.above ?? 0))
        context.addIssue({ code: "custom", path: [index, "above"], message: "必须大于前一项" });
    }
  }),
);

/** Names of the standard tier in requests and responses; it has the rule's own prices. */
export const STANDARD_TIERS: ReadonlySet<string> = new Set([
  "",
  "auto",
  "default",
  "standard",
  "standard_only",
  "on_demand",
  "unspecified",
]);

const NAME_FORMAT = "必须是小写字母开头的名称";
const TierName = z.string().check(
  z.regex(/^[a-z][a-z0-9_-]{0,31}$/, NAME_FORMAT),
  z.refine((name) => !STANDARD_TIERS.has(name), "标准等级使用规则本身的价格"),
);
const RegionName = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, NAME_FORMAT));
const Tier = z.strictObject({ ...rateFields, bands: z.optional(Bands) });
const PieceKind = z.string().check(z.minLength(1), z.maxLength(PIECE_KIND_LENGTH_MAX));

const RuleShape = z.strictObject({
  ...rateFields,
  bands: z.optional(Bands),
  tiers: z.optional(z.record(TierName, Tier)),
  regions: z.optional(z.record(RegionName, factor)),
  per_call: optionalDollars,
  per_image: z.optional(z.union([dollars, z.record(PieceKind, dollars)], "必须是数字或按质量和尺寸的价格")),
  per_second: optionalDollars,
  per_character: optionalDollars,
  per_page: optionalDollars,
  per_search: optionalDollars,
  per_map_query: optionalDollars,
});

const BASES = ["input", "per_call", "per_image", "per_second", "per_character", "per_page"] as const;

/** The shape of an entry of `PriceRules`; its issues name the wrong place and carry Chinese source sentences. */
export const PriceRuleShape = RuleShape.check(
  z.superRefine((rule, context) => {
    if (BASES.every((base) => rule[base] === undefined))
      context.addIssue({ code: "custom", path: [], message: `至少需要一项：${BASES.join(", ")}` });
    if ((rule.bands ?? rule.tiers) !== undefined && rule.input === undefined)
      context.addIssue({ code: "custom", path: ["input"], message: "有分段或等级时必须设置" });
  }),
);

/** The first problem of an entry of `PriceRules`; undefined for a valid rule. */
export const findRuleProblem = (entry: unknown): ShapeProblem | undefined => findShapeProblem(PriceRuleShape, entry);
