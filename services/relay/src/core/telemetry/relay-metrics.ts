import { createCounter, createHistogram, registerGauge } from "@turnpike/shared/telemetry/metric-series";

/**
 * The relay's own metrics except those of calls (call-metrics.ts) and channels (channel-metrics.ts). Labels are few and
 * bounded: never model, user or token names from callers.
 */
const callErrors = createCounter({
  name: "turnpike_relay_call_errors_total",
  help: "Calls that ended with an error response, by dialect and error code. A stream cut after its first byte is not counted here but in turnpike_relay_requests_total by status",
  labelNames: ["dialect", "stream", "code"],
});

/** Counts a call that ended with an error response. */
export function countCallError(dialect: string, stream: boolean, code: string): void {
  callErrors.of(dialect, stream ? "true" : "false", code).value++;
}

const holds = createCounter({
  name: "turnpike_relay_holds_total",
  help: "Holds by outcome: held, deferred (high balance), fail_open, limited, user_quota, token_quota, not_loaded, failed",
  labelNames: ["outcome"],
});
const deferredHolds = holds.of("deferred");
const heldHolds = holds.of("held");

/** Counts a hold by its outcome. */
export function countHold(outcome: string): void {
  if (outcome === "deferred") deferredHolds.value++;
  else if (outcome === "held") heldHolds.value++;
  else holds.of(outcome).value++;
}

const money = createCounter({
  name: "turnpike_relay_accounting_failures_total",
  help: "Recoverable accounting failures by step: settle (Redis did not respond), publish (NATS did not acknowledge), spool (write to disk failed)",
  labelNames: ["step"],
});

/** Counts settlements that Redis did not accept; posting their records clears their holds. */
export const settleFailures = money.of("settle");
/** Counts usage messages spooled to disk because NATS did not acknowledge them. */
export const publishFailures = money.of("publish");
/** Counts usage messages that could not be written to disk. */
export const spoolFailures = money.of("spool");

const deadLetters = createCounter({
  name: "turnpike_relay_usage_dead_letters_total",
  help: "Usage messages that can never be sent, by reason: too_large (refused by NATS for its size), unreadable (a damaged line of the spool)",
  labelNames: ["reason"],
});
// Both series exist from the start: an increase from nothing to 1 would not be seen.
const deadLettersByReason = { too_large: deadLetters.of("too_large"), unreadable: deadLetters.of("unreadable") };

/** Counts a usage message that was dead-lettered. */
export function countDeadLetter(reason: keyof typeof deadLettersByReason): void {
  deadLettersByReason[reason].value++;
}

const takeovers = createCounter({
  name: "turnpike_relay_background_takeovers_total",
  help: "Background responses of other relays that died or stopped, by what became of them: run (again), failed, cancelled",
  labelNames: ["outcome"],
});

/** Counts a background response that this relay took over. */
export function countTakeover(outcome: "run" | "failed" | "cancelled"): void {
  takeovers.of(outcome).value++;
}

export const scriptSeconds = createHistogram({
  name: "turnpike_relay_redis_script_seconds",
  help: "Seconds until Redis responded to a batch of holds or settlements, by script",
  labelNames: ["script"],
  buckets: [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.2, 1],
});

/**
 * Calls and streams in progress, and calls started since the process began; plain numbers because they change with
 * every call.
 */
export const inFlight = { calls: 0, streams: 0, begun: 0 };

/** Registers gauges whose values are read when scraped. */
export function observeRelay(sources: {
  spooledBytes: () => number;
  spoolLimitBytes: number;
  breakers: () => ReadonlyMap<number, { readonly open: readonly string[]; readonly halfOpen: readonly string[] }>;
  routedChannels: () => number;
}): void {
  const gauge = (name: string, help: string, read: () => number): void =>
    registerGauge({ name, help, labelNames: [] }, () => [[read()]]);
  gauge("turnpike_relay_calls_in_flight", "Calls in progress", () => inFlight.calls);
  gauge("turnpike_relay_streams_in_flight", "Streaming responses in progress", () => inFlight.streams);
  gauge(
    "turnpike_relay_spooled_bytes",
    "Bytes of usage messages spooled to disk while NATS is down",
    sources.spooledBytes,
  );
  gauge(
    "turnpike_relay_spool_limit_bytes",
    "Maximum bytes of usage messages in the spool",
    () => sources.spoolLimitBytes,
  );
  gauge("turnpike_relay_routed_channels", "Channels in the routing table", sources.routedChannels);
  const names = {
    help: "Keys of a channel whose circuit breaker is open (open) or half-open (half_open); no series for channels without such keys",
  };
  registerGauge({ name: "turnpike_relay_channel_breakers", labelNames: ["channel", "state"], ...names }, () =>
    [...sources.breakers()]
      .slice(0, 1_000)
      .flatMap(([channelId, { open, halfOpen }]) => [
        [channelId, "open", open.length] as const,
        [channelId, "half_open", halfOpen.length] as const,
      ]),
  );
}
