import { NO_USAGE, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { tidy } from "@turnpike/contract/pricing/rules/rule-rates";
import { withParts } from "@turnpike/contract/pricing/usage";
import type { Json } from "../../core/chat/chat.ts";
import { withReportedCost } from "../../core/vendors/upstream-cost.ts";
import { asCount, asNumber, asObject, parseJson } from "../../core/chat/json.ts";
import { toAudioTokens } from "../../accounting/tokens/audio-seconds.ts";

/** The parsed content of a Realtime frame. `event` is undefined for frames whose content does not matter here. */
export type InspectedFrame = { readonly type: string; readonly event: Json | undefined };

const HEAD_BYTES = 160;
const TYPE = /"type"\s*:\s*"([\w.]+)"/;
/** Large frames that contain only audio: only their length counts. */
const AUDIO = new Set(["input_audio_buffer.append", "response.audio.delta", "response.output_audio.delta"]);
const NO_EVENT: InspectedFrame = { type: "", event: undefined };

/**
 * Inspects a frame. Audio is recognized by its first bytes without parsing; other frames are parsed, and unreadable
 * ones have type "".
 */
export function inspectFrame(data: Buffer): InspectedFrame {
  const head = TYPE.exec(data.toString("latin1", 0, HEAD_BYTES))?.[1];
  if (head !== undefined && AUDIO.has(head)) return { type: head, event: undefined };
  const event = asObject(parseJson(data.toString("utf8")));
  const type = event?.["type"];
  return typeof type === "string" ? { type, event } : NO_EVENT;
}

const count = (object: Json | undefined, name: string): number => asCount(object?.[name]);

/** The usage of a `response.done`; undefined if it reports none. */
export function readResponseUsage(event: Json): TokenUsage | undefined {
  const usage = asObject(asObject(event["response"])?.["usage"]);
  if (!usage) return undefined;
  const input = asObject(usage["input_token_details"]);
  const output = asObject(usage["output_token_details"]);
  const cached = asObject(input?.["cached_tokens_details"]);
  const promptTokens = count(usage, "input_tokens");
  const completionTokens = count(usage, "output_tokens");
  if (promptTokens + completionTokens === 0) return undefined;
  const reported = { ...NO_USAGE, promptTokens, completionTokens, cacheReadTokens: count(input, "cached_tokens") };
  return withParts(withReportedCost(reported, usage), {
    audioPromptTokens: Math.max(0, count(input, "audio_tokens") - count(cached, "audio_tokens")),
    imagePromptTokens: Math.max(0, count(input, "image_tokens") - count(cached, "image_tokens")),
    audioCacheReadTokens: count(cached, "audio_tokens"),
    imageCacheReadTokens: count(cached, "image_tokens"),
    audioCompletionTokens: count(output, "audio_tokens"),
  });
}

/** The event by which upstream reports the transcript of the caller's audio and its usage. */
export const TRANSCRIBED = "conversation.item.input_audio_transcription.completed";

/**
 * The usage of a transcript; undefined if none is reported. It is produced by another model, whose audio price is close
 * to the session's text price: all of it counts as text. Usage in seconds is counted like recordings.
 */
export function readTranscriptUsage(event: Json): TokenUsage | undefined {
  const usage = asObject(event["usage"]);
  const seconds = asNumber(usage?.["seconds"]) ?? 0;
  const promptTokens = seconds > 0 ? toAudioTokens(seconds) : count(usage, "input_tokens");
  const completionTokens = count(usage, "output_tokens");
  return promptTokens + completionTokens === 0 ? undefined : { ...NO_USAGE, promptTokens, completionTokens };
}

const SUMMED = [
  "audioPromptTokens",
  "imagePromptTokens",
  "audioCacheReadTokens",
  "imageCacheReadTokens",
  "audioCompletionTokens",
] as const;

const isEmpty = ({ promptTokens, completionTokens }: TokenUsage): boolean => promptTokens + completionTokens === 0;

/** The sum of what upstream reports as costs; unknown as soon as one of two parts lacks a report. */
function addReportedCost(one: TokenUsage, other: TokenUsage): Pick<TokenUsage, "reportedDollars"> {
  const known = [one, other].filter((usage) => !isEmpty(usage)).map(({ reportedDollars }) => reportedDollars);
  if (known.length === 0 || known.includes(undefined)) return {};
  return { reportedDollars: tidy(known.reduce<number>((sum, dollars = 0) => sum + dollars, 0)) };
}

/** The sum of two usages. */
export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const parts = SUMMED.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)] as const);
  return withParts(
    {
      promptTokens: one.promptTokens + other.promptTokens,
      completionTokens: one.completionTokens + other.completionTokens,
      cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
      cacheWriteTokens: 0,
      reasoningTokens: one.reasoningTokens + other.reasoningTokens,
      ...addReportedCost(one, other),
    },
    Object.fromEntries(parts),
  );
}

/** An error as a Realtime event, since no HTTP status can be sent any more. */
export function errorEvent(error: { readonly code: string; readonly message: string }, requestId: string): string {
  return JSON.stringify({
    type: "error",
    event_id: `evt_${requestId}`,
    error: {
      type: "turnpike_error",
      code: error.code,
      message: `${error.message} (request id: ${requestId})`,
      param: null,
      event_id: null,
    },
  });
}
