import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { toTraceparent } from "@turnpike/shared/telemetry/batch-spans";
import { type RelayCall, getLastChannel } from "../../core/call/relay-call.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";
import { NO_FIRST_BYTE, getRecordFields, triedChannels } from "./call-fields.ts";
import { getChargeFields } from "./charge-fields.ts";
import { type Rates, getBillableUnits } from "./call-quota.ts";

/** How a charged call ended. `error` is set if its response was cut. */
export type CallOutcome = {
  readonly usage: TokenUsage;
  readonly estimated: boolean;
  readonly error: RelayError | undefined;
  /** Set if the response came from the response cache: the share of the price that is charged. */
  readonly hitRatio?: number;
};

/** Playground calls have no token. */
const PLAYGROUND_TOKEN = 0;

/** The trace context with which billing continues the trace of a sampled call. */
const getTrace = ({ watch: { span } }: RelayCall): { trace: string } | undefined =>
  span && { trace: toTraceparent(span) };

function mappedModel(call: RelayCall): Record<string, unknown> {
  const channel = getLastChannel(call);
  const upstream = channel && getUpstreamModel(channel, call.model);
  return upstream === undefined || upstream === call.model
    ? {}
    : { is_model_mapped: true, upstream_model_name: upstream };
}

/** The non-chat endpoint, and the number of units its price counts. */
function endpointFacts(call: RelayCall, delivered: number | undefined): Record<string, unknown> | undefined {
  const { name, endpoint } = call.dialect;
  if (!endpoint) return undefined;
  const units = getBillableUnits(call, delivered);
  return units === undefined ? { endpoint: name } : { endpoint: name, price_units: units };
}

/** Fields for conversations, the playground, and the content if it is logged. */
function sideFacts(call: RelayCall): Record<string, unknown> | undefined {
  if (call.dialect.isWebSocket) return { ws: true };
  const content = call.content?.toLogFields();
  if (call.admitted.caller.known.token.id !== PLAYGROUND_TOKEN) return content;
  return { ...content, playground: true };
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
  nowMs: number;
}): UsageRecord {
  const { call, outcome, nowMs } = input;
  const { price, groupRatio, quotaPerUnit } = input.rates;
  const { usage } = outcome;
  const isClaude = call.dialect.logsAsClaude === true;
  const effort = call.body["reasoning_effort"];
  const other = {
    model_ratio: price.modelRatio,
    completion_ratio: price.completionRatio,
    model_price: price.modelPrice,
    group_ratio: groupRatio,
    quota_per_unit: quotaPerUnit,
    price_rule: price.rule,
    price_model: price.name,
    cache_tokens: usage.cacheReadTokens,
    cache_ratio: price.cacheRatio,
    ...(usage.cacheWriteTokens > 0 || isClaude
      ? { cache_creation_tokens: usage.cacheWriteTokens, cache_creation_ratio: price.cacheWriteRatio }
      : {}),
    ...(isClaude ? { claude: true } : {}),
    ...getChargeFields(price, usage),
    ...(usage.reasoningTokens > 0 ? { reasoning_tokens: usage.reasoningTokens } : {}),
    ...(typeof effort === "string" ? { reasoning_effort: effort } : {}),
    ...(outcome.estimated ? { usage_estimated: true } : {}),
    ...(outcome.hitRatio === undefined ? {} : { response_cache: true, response_cache_ratio: outcome.hitRatio }),
    ...(outcome.error ? { error_type: "stream_error", error_code: outcome.error.code } : {}),
    ...endpointFacts(call, usage.images),
    ...sideFacts(call),
    ...mappedModel(call),
    frt: call.firstByteAtMs === undefined ? NO_FIRST_BYTE : call.firstByteAtMs - call.startedAtMs,
    use_time_ms: nowMs - call.startedAtMs,
    admin_info: triedChannels(call),
  };
  return {
    ...getRecordFields(call, nowMs),
    ...getTrace(call),
    type: 2,
    promptTokens: isClaude ? usage.promptTokens - usage.cacheReadTokens - usage.cacheWriteTokens : usage.promptTokens,
    completionTokens: usage.completionTokens,
    quota: input.quota,
    content: outcome.error ? outcome.error.message : "",
    other: JSON.stringify(other),
  };
}

/** The log row of a failed attempt, written if LogErrorEnabled is on; its cost is zero. */
export function errorRecord(call: RelayCall, error: RelayError, nowMs: number): UsageRecord {
  const channel = getLastChannel(call);
  const other = {
    error_type: error.upstream?.type ?? "turnpike_error",
    error_code: error.upstream?.code ?? error.code,
    status_code: error.status,
    channel_id: channel?.id ?? 0,
    channel_name: channel?.name ?? "",
    channel_type: channel?.type ?? 0,
    ...mappedModel(call),
    admin_info: triedChannels(call),
  };
  return {
    ...getRecordFields(call, nowMs),
    ...getTrace(call),
    requestId: `${call.requestId}-e${call.tried.length}`,
    type: 6,
    promptTokens: 0,
    completionTokens: 0,
    quota: 0,
    content: error.message,
    other: JSON.stringify(other),
  };
}
