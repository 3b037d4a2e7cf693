import { type IterationUsage, NO_USAGE, type TokenUsage, withParts } from "@turnpike/contract/pricing/usage";
import type { FinishReason, Json, ReportedUsage } from "../../../core/chat/chat.ts";
import { asCount, asNumber, asObject, asObjects, asText } from "../../../core/chat/json.ts";
import { readReportedDollars } from "../../../core/vendors/upstream-cost.ts";
import { readTierName } from "../../shared/service-tier.ts";

const FINISH: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop-sequence",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool-calls",
  refusal: "content-filter",
  // The message is sent back, and the model goes on: after a long turn of server tools, or after a compaction.
  pause_turn: "paused",
  compaction: "paused",
  // Compatible providers may send none.
  "": "stop",
};

/** Maps Anthropic's stop reasons. */
export const readStopReason = (word: string): FinishReason => FINISH[word] ?? "other";

const FIELDS = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"] as const;

/** The speed, if it is not the standard one, else the tier. Source: Anthropic's Messages API, `usage`. */
function readTier(usage: Json): string | undefined {
  const speed = readTierName(usage["speed"]);
  return speed === undefined || speed === "standard" ? readTierName(usage["service_tier"]) : speed;
}

type Figures = Partial<Record<(typeof FIELDS)[number], number>>;

const getLongWrites = (usage: Json): number =>
  asCount(asObject(usage["cache_creation"])?.["ephemeral_1h_input_tokens"]);

/** The tokens of Anthropic's fields: `input_tokens` excludes the cached parts, the prompt is the sum of all three. */
function toTokens(figures: Figures, reasoningTokens: number): TokenUsage {
  const cacheReadTokens = figures.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = figures.cache_creation_input_tokens ?? 0;
  return {
    promptTokens: (figures.input_tokens ?? 0) + cacheReadTokens + cacheWriteTokens,
    completionTokens: figures.output_tokens ?? 0,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
  };
}

/** Kinds of iterations that the top-level fields hold; they hold no other (`BetaIterationsUsage` of Anthropic's SDK). */
const KINDS_IN_TOTALS: ReadonlySet<string> = new Set(["message", "fallback_message"]);
const NAME_LENGTH_MAX = 200;

function readIteration(entry: Json): IterationUsage {
  const kind = asText(entry["type"])?.slice(0, NAME_LENGTH_MAX) ?? "";
  const model = asText(entry["model"])?.slice(0, NAME_LENGTH_MAX);
  const figures = Object.fromEntries(FIELDS.map((field) => [field, asCount(entry[field])]));
  return {
    kind,
    ...(model ? { model } : {}),
    isInTotals: KINDS_IN_TOTALS.has(kind),
    usage: withParts(toTokens(figures, 0), { cacheWriteLongTokens: getLongWrites(entry) }),
  };
}

/** The iterations of a usage that its top-level fields lack, or that name a model of their own. */
const readIterations = (usage: Json): readonly IterationUsage[] =>
  asObjects(usage["iterations"])
    .map(readIteration)
    .filter(({ isInTotals, model }) => !isInTotals || model !== undefined);

/**
 * Collects usage over a response. Numbers are cumulative and arrive in several events (input at the start, output at
 * the end, input again if it grew): the last value of each counts.
 */
export function createUsageTally() {
  const figures: Figures = {};
  let reasoningTokens = 0;
  let cacheWriteLongTokens = 0;
  let searches = 0;
  let tier: string | undefined;
  let region: string | undefined;
  let reportedDollars: number | undefined;
  let iterations: readonly IterationUsage[] = [];
  let isKnown = false;
  let hasCompaction = false;

  function total(): ReportedUsage {
    if (!isKnown && iterations.length === 0) return undefined;
    const reported = {
      ...toTokens(figures, reasoningTokens),
      ...(reportedDollars === undefined ? {} : { reportedDollars }),
    };
    return withParts(reported, {
      cacheWriteLongTokens,
      tier,
      region,
      toolCalls: searches > 0 ? { web_search: searches } : undefined,
      iterations: iterations.length > 0 ? iterations : undefined,
    });
  }

  return {
    add(value: unknown): void {
      const usage: Json | undefined = asObject(value);
      if (!usage) return;
      for (const field of FIELDS) {
        if (asNumber(usage[field]) === undefined) continue;
        figures[field] = asCount(usage[field]);
        isKnown = true;
      }
      reportedDollars = readReportedDollars(usage) ?? reportedDollars;
      tier = readTier(usage) ?? tier;
      region = readTierName(usage["inference_geo"]) ?? region;
      const details = asObject(usage["output_tokens_details"]);
      if (details) reasoningTokens = asCount(details["thinking_tokens"]);
      if (asObject(usage["cache_creation"])) cacheWriteLongTokens = getLongWrites(usage);
      const tools = asObject(usage["server_tool_use"]);
      if (tools) searches = asCount(tools["web_search_requests"]);
      if (Array.isArray(usage["iterations"])) iterations = readIterations(usage);
    },
    /** Counts searches whose results arrived, since the total is only reported at the end. */
    addSearch: (): void => void searches++,
    /** Upstream compacts the conversation, and reports the usage of that only at the end. */
    addCompaction: (): void => void (hasCompaction = true),
    total,
    /** The usage of a response that is cut; a compaction that was not reported has no tokens, since they are not known. */
    soFar(): ReportedUsage {
      if (!hasCompaction || iterations.length > 0) return total();
      return { ...NO_USAGE, ...total(), iterations: [{ kind: "compaction", isInTotals: false, usage: NO_USAGE }] };
    },
  };
}
