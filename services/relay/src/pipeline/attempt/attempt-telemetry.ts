import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { statusClass } from "@turnpike/shared/telemetry/http-metrics";
import { failSpan, openClientSpan, type RecordedSpan, within } from "@turnpike/shared/telemetry/batch-spans";
import { RelayError } from "../../core/errors/relay-error.ts";
import { tokensCharged } from "../../core/telemetry/call-metrics.ts";
import { operationEnded, getOperationName, getProviderName, tokensUsed } from "../../core/telemetry/genai-metrics.ts";
import type { Choice } from "../../core/call/channel.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";

/**
 * What metrics and spans learn of attempts at providers, in the words of OpenTelemetry's GenAI conventions: figures and names, never
 * what was said. Spans exist for calls that are recorded; for all others they cost the look at `watch.span`.
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
    // What provider.name was called before version 1.37 of the conventions.
    "gen_ai.system": provider,
    "gen_ai.request.model": model,
    "gen_ai.request.stream": call.stream,
    ...(call.maxOutputTokens === undefined ? {} : { "gen_ai.request.max_tokens": call.maxOutputTokens }),
    "turnpike.request_id": call.requestId,
    "turnpike.channel": channel.id,
    "turnpike.attempt": call.tried.length,
  });
}

/** Makes an attempt, in a span of its own where the call is recorded. */
export function runAttempt(call: RelayCall, choice: Choice, run: () => Promise<void>): Promise<void> {
  const { span } = call.watch;
  if (span === undefined) return run();
  call.watch.attempt = openSpan(span, call, choice);
  return within(call.watch.attempt, run);
}

/** How an attempt failed, in one of a few words: who cut a stream that had begun, no answer, or the class of its status. */
function errorTypeOf(call: RelayCall, error: unknown): string | undefined {
  if (error === undefined) return call.watch.cut === undefined ? undefined : `cut_by_${call.watch.cut}`;
  if (!(error instanceof RelayError) || !error.upstream) return "own";
  return error.upstream.code === "no_answer" ? "no_answer" : statusClass(error.status);
}

/** Counts an attempt that is over; `startedAt` is a moment of `performance.now()`, `error` what it was given up for. */
export function attemptEnded(call: RelayCall, choice: Choice, startedAt: number, error?: unknown): void {
  const errorType = errorTypeOf(call, error);
  operationEnded(operation(call, choice), (performance.now() - startedAt) / 1000, errorType);
  const { attempt } = call.watch;
  if (attempt === undefined) return;
  call.watch.attempt = undefined;
  if (errorType !== undefined) failSpan(attempt, errorType);
  attempt.end();
}

/** Counts the tokens that a call was charged for, if it was. */
export function countUsage(call: RelayCall, usage: TokenUsage | undefined): void {
  if (!usage) return;
  tokensCharged(call.model, usage);
  const choice = call.tried.at(-1);
  if (choice) tokensUsed(operation(call, choice), usage);
}

/** Writes the tokens that a call is charged for into its spans, where it is recorded, before they end. */
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

/** Tells the model that upstream says it answers with. */
export const modelAnswered = (call: RelayCall, model: string): void => {
  if (model !== "") call.watch.attempt?.setAttribute("gen_ai.response.model", model.slice(0, MODEL_LENGTH_MAX));
};
