import type { RatioConfig } from "@turnpike/contract/api/prices/pricing";
import { optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import type { FamilyKey } from "@turnpike/contract/options/price-options";
import { listRules } from "@turnpike/contract/pricing/price-tables";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Services } from "../../http/services.ts";

type Rows = readonly { readonly key: string; readonly value: string }[];

/** The price options of a site as other sites take them over. */
export function toRatioConfig(rows: Rows): RatioConfig {
  const options = optionsInForce(rows);
  const table = (key: FamilyKey): Record<string, number> => options.json(key);
  return {
    model_ratio: table("ModelRatio"),
    completion_ratio: table("CompletionRatio"),
    cache_ratio: table("CacheRatio"),
    create_cache_ratio: table("CreateCacheRatio"),
    image_ratio: table("ImageRatio"),
    audio_ratio: table("AudioRatio"),
    audio_completion_ratio: table("AudioCompletionRatio"),
    model_price: table("ModelPrice"),
    price_rules: { ...listRules(toPriceTables(options)) },
  };
}

/** Every caller may request the tables, which are large: they are read at most this often. */
const FRESH_MS = 30_000;

/** Reads the tables of this site. */
export function createRatioConfigReader({ priceBook }: Pick<Services, "priceBook">, nowMs: () => number = Date.now) {
  let cached: { readonly untilMs: number; readonly config: Promise<RatioConfig> } | undefined;
  return function readRatioConfig({ requestId }: Pick<CallOptions, "requestId">): Promise<RatioConfig> {
    if (cached && nowMs() < cached.untilMs) return cached.config;
    const config = priceBook.getPriceBook({}, { requestId }).then(({ options }) => toRatioConfig(options));
    const entry = { untilMs: nowMs() + FRESH_MS, config };
    cached = entry;
    config.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return config;
  };
}
