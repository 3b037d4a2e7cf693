import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { checkGroup } from "../admission/call-group.ts";
import type { ResponseCache } from "./response-cache/response-cache.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { GetChargeLimit } from "../accounting/holds/meters/charge-limit.ts";
import type { CallMeter } from "../accounting/holds/meters/call-meter.ts";
import type { OpenMeter } from "../accounting/holds/meters/metering.ts";
import type { CallOutcome } from "../accounting/usage/call-outcome.ts";
import { countCallError } from "../core/telemetry/relay-metrics.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import { type AttemptLoopDeps, createAttemptLoop } from "./attempt-loop.ts";
import { setLimitHeaders } from "./limit-headers.ts";
import { checkNamedModels } from "./named-models.ts";
import { boundOutput } from "./prepare/output-bound.ts";
import { chooseFirst, findCandidates, findTiers } from "./candidates.ts";
import type { BindState } from "./provider-state/state-binding.ts";
import { getChargeHeaders, setLiteLlmHeaders } from "../core/call/charge-headers.ts";
import { type RelayCall } from "../core/call/relay-call.ts";
import { setRouteHeaders } from "../core/call/route-headers.ts";
import { type Exchange } from "../core/call/exchange.ts";
import { hideUpstreamError } from "./settle/hidden-errors.ts";
import { isCredible } from "./settle/usage-resolution.ts";
import { countUsage, tagUsage } from "./attempt/attempt-telemetry.ts";

export type CallHandlerDeps = AttemptLoopDeps & {
  readonly table: () => RoutingTable;
  readonly openMeter: OpenMeter;
  readonly getChargeLimit: GetChargeLimit;
  readonly cache: ResponseCache;
  readonly bindState: BindState;
};

/**
 * Charges a call that failed for what upstream counted for it, as a prompt that its content filter blocked: a caller could send it as
 * often as it likes. A call that is retried owes the last response alone. False if nothing is due.
 */
async function chargeFailure(call: RelayCall, meter: CallMeter, error: unknown): Promise<boolean> {
  if (!(error instanceof RelayError) || error.usage === undefined || !isCredible(error.usage)) return false;
  const { promptTokens, completionTokens } = error.usage;
  if (promptTokens + completionTokens === 0 || call.route?.isRetried(error) === true) return false;
  await meter.charge({ usage: error.usage, estimated: false, error });
  return true;
}

/** Sets the charge of a failed call on the error response, unless keep-alive comments have sent its headers already. */
function reportCharge({ response }: Exchange, meter: CallMeter, options: OptionsInForce): void {
  if (response.headersSent) return;
  for (const [name, value] of Object.entries(getChargeHeaders(meter.getCharge(), options)))
    response.setHeader(name, value);
}

/**
 * Handles one relay call: choose a channel, place the hold, send, fail over before the first byte, stream or return the
 * response, settle. Throws RelayError if nothing was sent to the caller yet; after the first byte, failures end inside
 * the stream.
 */
export function createCallHandler(deps: CallHandlerDeps) {
  const tryChannels = createAttemptLoop(deps);

  return async function handleCall(received: RelayCall, exchange: Exchange): Promise<void> {
    setLiteLlmHeaders(exchange, received, deps.options());
    checkGroup(received.admitted, deps.options());
    const found = findTiers(received, deps.table(), deps.options());
    checkNamedModels(received, deps.table(), deps.options());
    const { call: own, tiers: bound } = deps.bindState(received, found);
    const tiers = findCandidates(own, bound);
    const first = chooseFirst(deps, own, tiers);
    const { maxDollars } = own;
    const call = maxDollars === undefined ? own : boundOutput(own, deps.getChargeLimit(own, maxDollars));
    const cached = deps.cache.entryFor(call, first.channel);
    if (cached) setRouteHeaders(exchange, call);
    let charged: CallOutcome | undefined;
    const meter = await deps.openMeter(
      call,
      (outcome) => {
        charged = outcome;
        tagUsage(call, outcome.usage);
      },
      (limits) => setLimitHeaders(call, exchange, limits, deps.now()),
    );
    try {
      if (!cached || !(await cached.serve(exchange, meter))) await tryChannels(call, exchange, tiers, meter);
      cached?.keep(charged);
    } catch (error) {
      if (await chargeFailure(call, meter, error)) reportCharge(exchange, meter, deps.options());
      else meter.release();
      if (!call.route?.isRetried(error))
        countCallError(call.dialect.name, call.stream, error instanceof RelayError ? error.code : "internal_error");
      throw error instanceof RelayError ? hideUpstreamError(error, deps.options()) : error;
    } finally {
      countUsage(call, charged?.usage);
    }
  };
}
