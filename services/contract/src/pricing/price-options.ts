import { boolean, json, number, type OptionDefinition } from "../options/option-types.ts";
import {
  DEFAULT_CACHE_RATIO,
  DEFAULT_COMPLETION_RATIO,
  DEFAULT_CREATE_CACHE_RATIO,
  DEFAULT_IMAGE_RATIO,
  DEFAULT_MODEL_PRICE,
  DEFAULT_MODEL_RATIO,
} from "./default-prices.ts";
import { DEFAULT_TOOL_PRICES } from "./tool-prices.ts";

/**
 * The options that decide what a call costs. Billing keeps them as one price book with one revision; all other options belong to auth.
 * This is the only list of them.
 */
export const PRICE_OPTIONS = {
  ModelRatio: json("ratios", DEFAULT_MODEL_RATIO),
  CompletionRatio: json("ratios", DEFAULT_COMPLETION_RATIO),
  ModelPrice: json("ratios", DEFAULT_MODEL_PRICE),
  CacheRatio: json("ratios", DEFAULT_CACHE_RATIO),
  CreateCacheRatio: json("ratios", DEFAULT_CREATE_CACHE_RATIO),
  ImageRatio: json("ratios", DEFAULT_IMAGE_RATIO),
  AudioRatio: json("ratios", {}),
  AudioCompletionRatio: json("ratios", {}),
  ToolPrices: json("ratios", DEFAULT_TOOL_PRICES),
  GroupGroupRatio: json("object", {}, "ratios"),
  GroupRatio: json("ratios", { default: 1, vip: 1, svip: 1 }),
  /** The price of a cached response, as a share of the price of the call. */
  ResponseCacheRatio: number(0.1, 0, 1),
  fallback_pricing_enabled: boolean(false),
  fallback_single_price: number(""),
  fallback_input_ratio: number(""),
  fallback_completion_ratio: number(""),
} as const satisfies Record<string, OptionDefinition>;

export type PriceKey = keyof typeof PRICE_OPTIONS;

export const PRICE_KEYS = Object.keys(PRICE_OPTIONS) as readonly PriceKey[];

/** Whether an option is a price, which billing keeps. */
export const isPriceKey = (key: string): key is PriceKey => Object.hasOwn(PRICE_OPTIONS, key);
