import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { countChannelPrompt } from "../../core/telemetry/channel-metrics.ts";
import { statusClass } from "@turnpike/shared/telemetry/http-metrics";
import { failSpan, openClientSpan, type RecordedSpan, within } from "@turnpike/shared/telemetry/batch-spans";
import { isNoResponse, RelayError } from "../../core/errors/relay-error.ts";
import { tokensCharged } from "../../core/telemetry/call-metrics.ts";
import { operationEnded, getOperationName, getProviderName, tokensUsed } from "../../core/telemetry/genai-metrics.ts";
import type { Choice } from "../../core/call/channel.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";

/**
 * Metrics and spans of attempts at providers, named by OpenTelemetry's GenAI conventions: numbers and names, never
 * content. Spans exist only for sampled calls; for all others the cost is one check of `watch.span`.
 */
const MODEL_LENGTH_MAX = 128;

const operation = (call: RelayCall, { channel }: Choice) => ({
  dialect: call.dialect.name,
  channelType: channel.type,
  model: call.model,
});

function openSpan(parent: RecordedSpan, call: RelayCall, { channel }: Choice): RecordedSpan {
  const name = getOperationName(call.dialect.name);
  const model = getUpstreamModel(channel, call.model);
  const provider = getProviderName(channel.type);
  return openClientSpan(parent, `${name} ${model}`, {
    "gen_ai.operation.name": name,
    "gen_ai.provider.name": provider,
    // The attribute name before version 1.37 of the conventions (now provider.name).
    "gen_ai.system": provider,
    "gen_ai.request.model": model,
    "gen_ai.request.stream": call.stream,
    ...(call.maxOutputTokens === undefined ? {} : { "gen_ai.request.max_tokens": call.maxOutputTokens }),
    "turnpike.request_id": call.requestId,
    "turnpike.channel": channel.id,
    "turnpike.attempt": call.tried.length,
  });
}

/** Runs an attempt, in its own span if the call is sampled. */
export function runAttempt(call: RelayCall, choice: Choice, run: () => Promise<void>): Promise<void> {
  const { span } = call.watch;
  if (span === undefined) return run();
  call.watch.attempt = openSpan(span, call, choice);
  return within(call.watch.attempt, run);
}

/**
 * The failure type of an attempt, from a small fixed set: who cut a stream that had begun, no response, or the status
 * class.
 */
function getErrorType(call: RelayCall, error: unknown): string | undefined {
  if (error === undefined) return call.watch.cut === undefined ? undefined : `cut_by_${call.watch.cut}`;
  if (!(error instanceof RelayError) || !error.upstream) return "own";
  return isNoResponse(error.upstream) ? "no_response" : statusClass(error.status);
}

/** Counts a finished attempt; `startedAt` is a `performance.now()` timestamp, `error` the reason it failed. */
export function attemptEnded(call: RelayCall, choice: Choice, startedAt: number, error?: unknown): void {
  const errorType = getErrorType(call, error);
  operationEnded(operation(call, choice), (performance.now() - startedAt) / 1000, errorType);
  const { attempt } = call.watch;
  if (attempt === undefined) return;
  call.watch.attempt = undefined;
  if (errorType !== undefined) failSpan(attempt, errorType);
  attempt.end();
}

/** Counts the tokens charged for a call, if any. */
export function countUsage(call: RelayCall, usage: TokenUsage | undefined): void {
  if (!usage) return;
  tokensCharged(call.model, usage);
  const choice = call.tried.at(-1);
  if (!choice) return;
  tokensUsed(operation(call, choice), usage);
  countChannelPrompt(choice.channel.id, usage);
}

/** Writes the charged tokens to the spans of a sampled call before they end. */
export function tagUsage(call: RelayCall, usage: TokenUsage): void {
  const { span, attempt } = call.watch;
  if (span === undefined) return;
  const choice = call.tried.at(-1);
  const facts = {
    "gen_ai.usage.input_tokens": usage.promptTokens,
    "gen_ai.usage.output_tokens": usage.completionTokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cacheReadTokens,
  };
  attempt?.setAttributes(facts);
  span.setAttributes({
    ...facts,
    "gen_ai.operation.name": getOperationName(call.dialect.name),
    "gen_ai.request.model": call.model,
    "gen_ai.request.stream": call.stream,
    "turnpike.channel": choice?.channel.id ?? 0,
    "turnpike.attempts": call.tried.length,
  });
}

/** Records the model name that upstream reports in its response. */
export const recordModelResponse = (call: RelayCall, model: string): void => {
  if (model !== "") call.watch.attempt?.setAttribute("gen_ai.response.model", model.slice(0, MODEL_LENGTH_MAX));
};
