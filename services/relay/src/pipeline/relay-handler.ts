import { checkGroup } from "../admission/call-group.ts";
import type { ResponseCache } from "./response-cache/response-cache.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { CallMeter, OpenMeter } from "../accounting/holds/call-meter.ts";
import type { CallOutcome } from "../accounting/usage/usage-record.ts";
import { countCallError } from "../core/telemetry/relay-metrics.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import { type AttemptLoopDeps, createAttemptLoop } from "./attempt-loop.ts";
import { chooseFirst, findCandidates } from "./candidates.ts";
import { type RelayCall } from "../core/call/relay-call.ts";
import { type Exchange } from "../core/call/exchange.ts";
import { hideUpstreamError } from "./settle/attempt-outcome.ts";
import { countUsage, tagUsage } from "./attempt/attempt-telemetry.ts";

export type CallHandlerDeps = AttemptLoopDeps & {
  readonly table: () => RoutingTable;
  readonly openMeter: OpenMeter;
  readonly cache: ResponseCache;
};

/** Wraps the meter and remembers the charge. */
function rememberCharge(
  call: RelayCall,
  meter: CallMeter,
): { meter: CallMeter; charged: () => CallOutcome | undefined } {
  let charged: CallOutcome | undefined;
  const charge: CallMeter["charge"] = (outcome) => {
    charged = outcome;
    tagUsage(call, outcome.usage);
    return meter.charge(outcome);
  };
  return { meter: { ...meter, charge }, charged: () => charged };
}

/**
 * Handles one relay call: choose a channel, place the hold, send, fail over before the first byte, stream or return the
 * response, settle. Throws RelayError if nothing was sent to the caller yet; after the first byte, failures end inside
 * the stream.
 */
export function createCallHandler(deps: CallHandlerDeps) {
  const tryChannels = createAttemptLoop(deps);

  return async function handleCall(call: RelayCall, exchange: Exchange): Promise<void> {
    checkGroup(call.admitted, deps.options());
    const tiers = findCandidates(call, deps.table());
    const first = chooseFirst(deps, call, tiers);
    const cached = deps.cache.entryFor(call, first.channel);
    const { meter, charged } = rememberCharge(call, await deps.openMeter(call));
    try {
      if (!cached || !(await cached.serve(exchange, meter))) await tryChannels(call, exchange, tiers, meter);
      cached?.keep(charged());
    } catch (error) {
      // A charge that failed half-way keeps its hold: the janitor posts it.
      if (!charged()) meter.release();
      countCallError(call.dialect.name, call.stream, error instanceof RelayError ? error.code : "internal_error");
      throw error instanceof RelayError ? hideUpstreamError(error, deps.options()) : error;
    } finally {
      countUsage(call, charged()?.usage);
    }
  };
}
