import { boolean, choice, json, number, text, type OptionDefinition } from "./option-types.ts";
import { DEFAULT_TOOL_PRICES } from "../pricing/tool-prices.ts";

/**
 * The options that decide what a call costs. Billing stores them as one price book with one revision; all other options
 * belong to auth. This is the only list of them.
 */
export const PRICE_OPTIONS = {
  ModelRatio: json("ratios", {}),
  CompletionRatio: json("ratios", {}),
  ModelPrice: json("ratios", {}),
  CacheRatio: json("ratios", {}),
  CreateCacheRatio: json("ratios", {}),
  ImageRatio: json("ratios", {}),
  AudioRatio: json("ratios", {}),
  AudioCompletionRatio: json("ratios", {}),
  /** Prices with bands, tiers and regions, by model; see rules/price-rule.ts. Entries with LiteLLM's field names are converted. */
  PriceRules: json("object", {}, "price-rule"),
  /** Built-in prices that an administrator took over from a newer catalogue than this version's; null for a model that it dropped. */
  CatalogueRules: json("object", {}, "catalogue-rule"),
  /** The day of that catalogue; a later catalogue of a new version takes precedence. */
  CatalogueDate: text(""),
  /** A catalogue's price that is this many times another one needs a second confirmation. */
  CatalogueConfirmFactor: number(2, 1, 1_000),
  /** Whether the catalogue is compared each day, and changes within CatalogueApplyFactor are applied. */
  CatalogueSchedule: choice("off", "off", "propose", "apply"),
  CatalogueSource: choice("litellm", "litellm", "models_dev", "ratio_config", "pricing"),
  /** Replaces the source's public address. */
  CatalogueUrl: text(""),
  CatalogueApplyFactor: number(1.2, 1, 1_000),
  ToolPrices: json("ratios", DEFAULT_TOOL_PRICES),
  GroupGroupRatio: json("object", {}, "ratios"),
  GroupRatio: json("ratios", { default: 1, vip: 1, svip: 1 }),
  /** What happens to a call that requests a service tier without a price: it is refused, or served without it, or charged as usual. */
  UnpricedTiers: choice("refuse", "refuse", "strip", "standard"),
  /** The price of a cached response, as a share of the price of the call. */
  ResponseCacheRatio: number(0.1, 0, 1),
  fallback_pricing_enabled: boolean(false),
  fallback_single_price: number(""),
  fallback_input_ratio: number(""),
  fallback_completion_ratio: number(""),
} as const satisfies Record<string, OptionDefinition>;

export type PriceKey = keyof typeof PRICE_OPTIONS;

export const PRICE_KEYS = Object.keys(PRICE_OPTIONS) as readonly PriceKey[];

/** The row next to the price options that carries the built-in prices to the services that charge; not an option. */
export const CATALOGUE_ROW = "PriceCatalogue";

/** The options by which the one-api family writes the price of a model. */
export const FAMILY_KEYS = [
  "ModelRatio",
  "CompletionRatio",
  "ModelPrice",
  "CacheRatio",
  "CreateCacheRatio",
  "ImageRatio",
  "AudioRatio",
  "AudioCompletionRatio",
] as const satisfies readonly PriceKey[];
export type FamilyKey = (typeof FAMILY_KEYS)[number];

/** Whether an option is a price, which billing stores. */
export const isPriceKey = (key: string): key is PriceKey => Object.hasOwn(PRICE_OPTIONS, key);
