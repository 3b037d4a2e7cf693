import {
  type IterationUsage,
  NO_USAGE,
  type TokenUsage,
  withoutIterations,
  withParts,
} from "@turnpike/contract/pricing/usage";
import { AUDIO_INPUT } from "@turnpike/contract/pricing/tool-prices";
import type { LogDoc } from "../store/usage-documents.ts";

/** The fields of a log row that its charge is read from. */
export type ChargedRow = Pick<LogDoc, "modelName" | "group" | "promptTokens" | "completionTokens" | "quota" | "other">;

type Line = { readonly kind: string; readonly tokens: number };
type Surcharge = { readonly name: string; readonly count: number };
type Details = Readonly<Record<string, unknown>>;

const toCount = (value: unknown): number => (typeof value === "number" ? value : 0);
const toText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The usage of a row that holds each kind of token. `dollarAudio` is audio that was charged in dollars. */
function toLineUsage(lines: readonly Line[], dollarAudio: number): TokenUsage {
  const sum = (...kinds: readonly string[]): number =>
    lines.reduce((total, { kind, tokens }) => total + (kinds.includes(kind) ? tokens : 0), 0);
  const completion = sum("output", "audio_output", "image_output", "video_output", "reasoning");
  const cached = sum("cache_read", "audio_cache_read", "image_cache_read");
  return withParts(
    {
      promptTokens: lines.reduce((total, { tokens }) => total + tokens, 0) - completion + dollarAudio,
      completionTokens: completion,
      cacheReadTokens: cached,
      cacheWriteTokens: sum("cache_write", "cache_write_1h"),
      reasoningTokens: sum("reasoning"),
    },
    {
      cacheWriteLongTokens: sum("cache_write_1h"),
      audioPromptTokens: sum("audio_input") + dollarAudio,
      imagePromptTokens: sum("image_input"),
      videoPromptTokens: sum("video_input"),
      audioCacheReadTokens: sum("audio_cache_read"),
      imageCacheReadTokens: sum("image_cache_read"),
      audioCompletionTokens: sum("audio_output"),
      imageCompletionTokens: sum("image_output"),
      videoCompletionTokens: sum("video_output"),
    },
  );
}

function toRatioUsage(row: ChargedRow, details: Details): TokenUsage {
  const cacheReadTokens = toCount(details["cache_tokens"]);
  const cacheWriteTokens = toCount(details["cache_creation_tokens"]);
  // Rows of Anthropic callers count the prompt without the cache.
  const ofCache = details["claude"] === true ? cacheReadTokens + cacheWriteTokens : 0;
  return withParts(
    {
      ...NO_USAGE,
      promptTokens: row.promptTokens + ofCache,
      completionTokens: row.completionTokens,
      cacheReadTokens,
      cacheWriteTokens,
      reasoningTokens: toCount(details["reasoning_tokens"]),
    },
    {
      cacheWriteLongTokens: toCount(details["cache_creation_tokens_1h"]),
      audioPromptTokens: toCount(details["audio_input"]),
      audioCompletionTokens: toCount(details["audio_output"]),
      imagePromptTokens: toCount(details["image_input"]),
    },
  );
}

const MILLISECONDS = 1_000;
/** Surcharges that are not calls of tools. */
const NO_TOOLS: ReadonlySet<string> = new Set([AUDIO_INPUT, "seconds", "pages"]);

/** What was charged in dollars: tools, seconds of a recording, pages. */
function withSurcharges(usage: TokenUsage, surcharges: readonly Surcharge[]): TokenUsage {
  const tools = surcharges.filter(({ name }) => !NO_TOOLS.has(name)).map(({ name, count }) => [name, count] as const);
  const find = (surcharge: string): number | undefined => surcharges.find(({ name }) => name === surcharge)?.count;
  const [milliseconds, pages] = [find("seconds"), find("pages")];
  return {
    ...withParts(usage, {
      toolCalls: Object.fromEntries(tools),
      seconds: milliseconds === undefined ? undefined : milliseconds / MILLISECONDS,
    }),
    ...(pages === undefined ? {} : { pages }),
  };
}

/** What a log row was charged for. */
export type RowCharge = {
  readonly model: string;
  /** The model's name at the upstream; the same name where it is not mapped. */
  readonly upstreamModel: string;
  readonly group: string;
  readonly usage: TokenUsage;
  /** The group's ratio at that time. */
  readonly groupRatio: number;
  /** The share of the price that was charged for a cached response. */
  readonly cachedRatio: number | undefined;
  /** The number of plain pieces that were charged, and their kind where pieces were priced by kind. */
  readonly units: number | undefined;
  readonly kind: string | undefined;
  /** The non-chat endpoint. */
  readonly endpoint: string | undefined;
  readonly isTask: boolean;
  /** Whether the usage is the relay's estimate, not the upstream's report. */
  readonly isEstimated: boolean;
  /** Whether the user or the site accepts models without a price. */
  readonly acceptsUnset: boolean;
};

const asList = <Item>(value: unknown): readonly Item[] => (Array.isArray(value) ? (value as Item[]) : []);

/** A request within the call that was charged by itself. */
function toIteration(entry: Details): IterationUsage {
  const model = toText(entry["model"]);
  const usage = {
    promptTokens: toCount(entry["prompt_tokens"]),
    completionTokens: toCount(entry["completion_tokens"]),
    cacheReadTokens: toCount(entry["cache_tokens"]),
    cacheWriteTokens: toCount(entry["cache_creation_tokens"]),
    reasoningTokens: 0,
  };
  return {
    kind: toText(entry["type"]) ?? "",
    ...(model === undefined ? {} : { model }),
    isInTotals: false,
    usage: withParts(usage, { cacheWriteLongTokens: toCount(entry["cache_creation_tokens_1h"]) }),
  };
}

/** The usage of the call itself, without its iterations. */
function readOwnUsage(row: ChargedRow, details: Details, iterations: readonly IterationUsage[]): TokenUsage {
  const { lines } = details;
  const surcharges = asList<Surcharge>(details["surcharges"]);
  return Array.isArray(lines)
    ? toLineUsage(lines as Line[], surcharges.find(({ name }) => name === AUDIO_INPUT)?.count ?? 0)
    : withoutIterations(toRatioUsage(row, details), iterations);
}

function readUsage(row: ChargedRow, details: Details): TokenUsage {
  const { service_tier: tier, region } = details;
  const surcharges = asList<Surcharge>(details["surcharges"]);
  const iterations = asList<Details>(details["iterations"]).map(toIteration);
  const usage = withParts(readOwnUsage(row, details, iterations), { iterations });
  // A tier that was neither priced nor charged as the most expensive one was accepted at the standard price.
  const isStandardPrice =
    typeof tier === "string" && details["price_tier"] === undefined && details["price_tier_assumed"] !== true;
  return {
    ...withSurcharges(usage, surcharges),
    ...(typeof tier === "string" ? { tier } : {}),
    ...(typeof region === "string" ? { region } : {}),
    ...(isStandardPrice ? { isStandardPrice } : {}),
  };
}

/** Reads a log row; undefined where it does not hold its figures. */
export function readRowCharge(row: ChargedRow): RowCharge | undefined {
  let details: Details;
  try {
    details = JSON.parse(row.other) as Details;
  } catch {
    return undefined;
  }
  const { group_ratio: groupRatio, response_cache_ratio: cachedRatio, price_units: units } = details;
  if (typeof groupRatio !== "number") return undefined;
  return {
    model: row.modelName,
    upstreamModel: toText(details["upstream_model_name"]) ?? row.modelName,
    group: row.group,
    usage: readUsage(row, details),
    groupRatio,
    cachedRatio: typeof cachedRatio === "number" ? cachedRatio : undefined,
    units: typeof units === "number" ? units : undefined,
    kind: toText(details["price_kind"]),
    endpoint: toText(details["endpoint"]),
    isTask: details["task_action"] !== undefined,
    isEstimated: details["usage_estimated"] === true,
    acceptsUnset: details["price_rule"] === "unset_accepted",
  };
}
