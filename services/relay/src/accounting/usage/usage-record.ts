import { selectPrice } from "@turnpike/contract/pricing/price-variants";
import { withIterations } from "@turnpike/contract/pricing/usage";
import { RESPONSE_ID_LENGTH_MAX, type UsageRecord } from "@turnpike/shared/events/relay";
import { toTraceparent } from "@turnpike/shared/telemetry/batch-spans";
import { type RelayCall, getLastChannel } from "../../core/call/relay-call.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";
import { NO_FIRST_BYTE, getRecordFields, triedChannels } from "./log-row-fields.ts";
import type { CallCost } from "./call-cost.ts";
import { getChargeFields, getIterationFields } from "./charge-fields.ts";
import { type Rates, getPieces } from "./call-quota.ts";
import type { CallOutcome } from "./call-outcome.ts";

/** A longer effort is no provider's; the body's field may hold anything where it is not sent upstream. */
const EFFORT_LENGTH_MAX = 32;

/** Playground calls have no token. */
const PLAYGROUND_TOKEN = 0;

type Facts = Record<string, unknown>;

/** The trace context with which billing continues the trace of a sampled call. */
export const getTrace = ({ watch: { span } }: RelayCall): { trace: string } | undefined =>
  span && { trace: toTraceparent(span) };

/** The facts of a row for administrators only: the tried channels, and the id of the trace of a sampled call. */
export const getAdminInfo = (call: RelayCall): Facts => {
  const { span } = call.watch;
  return span ? { ...triedChannels(call), trace_id: span.spanContext().traceId } : triedChannels(call);
};

/** The agent session that the call belongs to. */
export const getSession = ({ sessionId }: RelayCall): { session_id: string } | undefined =>
  sessionId === undefined ? undefined : { session_id: sessionId };

/** The requested model and the number of attempts, where another model may have served the call. */
export const getRoute = ({ route, tried }: RelayCall): { requested_model: string; attempts: number } | undefined =>
  route && { requested_model: route.requestedModel, attempts: route.earlierAttempts + tried.length };

/** The id by which the caller may look up the call: what it saw in the response, or what the id that it saw opens to. */
const toResponseId = ({ responseId = "" }: CallOutcome): string | undefined =>
  responseId === "" || responseId.length > RESPONSE_ID_LENGTH_MAX ? undefined : responseId;

export function mappedModel(call: RelayCall): Facts | undefined {
  const channel = getLastChannel(call);
  const upstream = channel && getUpstreamModel(channel, call.model);
  return upstream === undefined || upstream === call.model
    ? undefined
    : { is_model_mapped: true, upstream_model_name: upstream };
}

/** The non-chat endpoint, and the number of units its price counts. */
function endpointFacts(call: RelayCall, pieces: ReturnType<typeof getPieces>): Facts | undefined {
  const { name, endpoint } = call.dialect;
  if (!endpoint) return undefined;
  if (!pieces) return { endpoint: name };
  return {
    endpoint: name,
    price_units: pieces.units,
    ...(pieces.kind === undefined ? {} : { price_kind: pieces.kind }),
  };
}

/** Fields for conversations, the playground, and the content if it is logged. */
function sideFacts(call: RelayCall): Facts | undefined {
  if (call.dialect.isWebSocket) return { ws: true };
  const content = call.content?.toLogFields();
  if (call.admitted.caller.known.token.id !== PLAYGROUND_TOKEN) return content;
  return { ...content, playground: true };
}

/** Adds what is special about a call's usage and end. */
function addOutcome(other: Facts, { body, chargeLimit }: RelayCall, outcome: CallOutcome): void {
  const { reasoning_effort: effort } = body;
  const { reasoningTokens } = outcome.usage;
  if (reasoningTokens > 0) other["reasoning_tokens"] = reasoningTokens;
  if (typeof effort === "string") other["reasoning_effort"] = effort.slice(0, EFFORT_LENGTH_MAX);
  if (outcome.estimated) other["usage_estimated"] = true;
  if (chargeLimit !== undefined) other["max_quota"] = chargeLimit.quota;
  if (outcome.hitRatio !== undefined) {
    other["response_cache"] = true;
    other["response_cache_ratio"] = outcome.hitRatio;
  }
  if (outcome.error) {
    other["error_type"] = "stream_error";
    other["error_code"] = outcome.error.code;
  }
}

/**
 * The log row of a charged call. Anthropic callers see prompt tokens as Anthropic defines them (without cache reads and
 * writes) and the `claude` flag, from which existing consoles compute the price; all others see the whole prompt.
 */
export function consumeRecord(input: {
  call: RelayCall;
  outcome: CallOutcome;
  quota: number;
  rates: Rates;
  cost: CallCost;
  nowMs: number;
}): UsageRecord {
  const { call, outcome, cost, nowMs } = input;
  const { price, groupRatio, quotaPerUnit, findModelPrice } = input.rates;
  const usage = withIterations(outcome.usage);
  const selected = selectPrice(price, outcome.usage);
  const pieces = getPieces(call, price, usage);
  const flat = pieces?.price ?? selected.price;
  const isClaude = call.dialect.logsAsClaude === true;
  // Assigned one by one: an object of as many spreads costs several times as much.
  const other: Facts = {
    model_ratio: flat.modelRatio,
    completion_ratio: flat.completionRatio,
    model_price: flat.modelPrice,
    group_ratio: groupRatio,
    quota_per_unit: quotaPerUnit,
    price_rule: price.rule,
    price_model: price.name,
    cache_tokens: usage.cacheReadTokens,
    cache_ratio: flat.cacheRatio,
  };
  if (usage.cacheWriteTokens > 0 || isClaude) {
    other["cache_creation_tokens"] = usage.cacheWriteTokens;
    other["cache_creation_ratio"] = flat.cacheWriteRatio;
  }
  if (isClaude) other["claude"] = true;
  if (!pieces) Object.assign(other, getChargeFields(price, selected, outcome.usage));
  Object.assign(other, getIterationFields(price, outcome.usage, findModelPrice));
  addOutcome(other, call, outcome);
  Object.assign(other, endpointFacts(call, pieces), sideFacts(call), mappedModel(call));
  other["frt"] = call.firstByteAtMs === undefined ? NO_FIRST_BYTE : call.firstByteAtMs - call.startedAtMs;
  other["use_time_ms"] = nowMs - call.startedAtMs;
  Object.assign(other, getSession(call), getRoute(call));
  other["admin_info"] = getAdminInfo(call);
  return {
    ...getRecordFields(call, nowMs),
    ...getTrace(call),
    type: 2,
    promptTokens: isClaude ? usage.promptTokens - usage.cacheReadTokens - usage.cacheWriteTokens : usage.promptTokens,
    completionTokens: usage.completionTokens,
    quota: input.quota,
    ...cost,
    content: outcome.error ? outcome.error.message : "",
    other: JSON.stringify(other),
    responseId: toResponseId(outcome),
  };
}
