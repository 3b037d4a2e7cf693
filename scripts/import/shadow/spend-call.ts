import { type TokenUsage, withParts } from "@turnpike/contract/pricing/usage";
import { STANDARD_TIERS } from "@turnpike/contract/pricing/rules/price-rule";
import { type Dollars, readDollars } from "../litellm/dollars.ts";
import type { LiteLlmRow } from "../litellm/litellm-source.ts";
import { readCount, readFlag, readJson, readTime } from "../litellm/postgres-values.ts";
import { findProvider } from "../litellm/providers.ts";

/** A call that LiteLLM billed: a row of LiteLLM_SpendLogs. */
export type SpendCall = {
  readonly requestId: string;
  /** Seconds since 1970. */
  readonly at: number;
  /** SHA-256 of the key. */
  readonly keyDigest: string;
  readonly userId: string;
  readonly teamId: string;
  /** The name that the caller used, and the provider's. */
  readonly model: string;
  readonly upstreamModel: string;
  readonly isFailed: boolean;
  readonly isCached: boolean;
  readonly usage: TokenUsage;
  readonly spend: Dollars;
  /** LiteLLM's price before its margins and discounts, where it recorded one. */
  readonly listPrice: Dollars | undefined;
};

type Json = Readonly<Record<string, unknown>>;
const asObject = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
const toCount = (value: unknown): number => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0);
/** The first of some figures that is above 0: providers differ in where they count the cache. */
const firstCount = (...values: readonly unknown[]): number => values.map(toCount).find((count) => count > 0) ?? 0;

/**
 * The usage of a call. The prompt includes the cache in LiteLLM, as here; parts are in `metadata.usage_object`, in older versions in
 * `metadata.additional_usage_values` (`get_logging_payload` in proxy/spend_tracking/spend_tracking_utils.py).
 */
function readUsage(row: LiteLlmRow, metadata: Json): TokenUsage {
  const usage = { ...asObject(metadata["additional_usage_values"]), ...asObject(metadata["usage_object"]) };
  const prompt = asObject(usage["prompt_tokens_details"]);
  const completion = asObject(usage["completion_tokens_details"]);
  const lifetimes = asObject(prompt["cache_creation_token_details"]);
  const searches = toCount(asObject(usage["server_tool_use"])["web_search_requests"]);
  const tier = asObject(metadata["cost_breakdown"])["service_tier"] ?? usage["service_tier"];
  return {
    ...withParts(
      {
        promptTokens: readCount(row["prompt_tokens"]),
        completionTokens: readCount(row["completion_tokens"]),
        cacheReadTokens: firstCount(usage["cache_read_input_tokens"], prompt["cached_tokens"]),
        cacheWriteTokens: firstCount(usage["cache_creation_input_tokens"], prompt["cache_creation_tokens"]),
        reasoningTokens: toCount(completion["reasoning_tokens"]),
      },
      {
        cacheWriteLongTokens: toCount(lifetimes["ephemeral_1h_input_tokens"]),
        audioPromptTokens: toCount(prompt["audio_tokens"]),
        imagePromptTokens: toCount(prompt["image_tokens"]),
        audioCompletionTokens: toCount(completion["audio_tokens"]),
        imageCompletionTokens: toCount(completion["image_tokens"]),
        toolCalls: searches > 0 ? { web_search: searches } : {},
      },
    ),
    ...(typeof tier === "string" && !STANDARD_TIERS.has(tier) ? { tier } : {}),
  };
}

/** Reads a row; amounts are exact. */
export function readSpendCall(row: LiteLlmRow): SpendCall {
  const metadata = readJson(row["metadata"]);
  const original = asObject(metadata["cost_breakdown"])["original_cost"];
  const model = row["model"] ?? "";
  return {
    requestId: row["request_id"] ?? "",
    at: readTime(row["startTime"]) ?? 0,
    keyDigest: row["api_key"] ?? "",
    userId: row["user"] ?? "",
    teamId: row["team_id"] ?? "",
    model: row["model_group"] || model,
    upstreamModel: findProvider(model, row["custom_llm_provider"] ?? "", "").model,
    isFailed: row["status"] === "failure",
    isCached: readFlag(row["cache_hit"]),
    usage: readUsage(row, metadata),
    spend: readDollars(row["spend"]) ?? 0n,
    listPrice: typeof original === "number" ? readDollars(String(original)) : undefined,
  };
}
