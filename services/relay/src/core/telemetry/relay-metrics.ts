import { createCounter, createHistogram, registerGauge } from "@turnpike/shared/telemetry/metric-series";

/**
 * The relay's own metrics beside those of calls (metrics-calls.ts) and channels (metrics-channels.ts). Labels are few and bounded:
 * never models, users or tokens as callers write them.
 */
const served = createCounter({
  name: "turnpike_relay_calls_total",
  help: "Calls by dialect and how they ended: ok, or the code of the error",
  labelNames: ["dialect", "stream", "outcome"],
});

/** Counts how a call ended. */
export function callServed(dialect: string, stream: boolean, outcome: string): void {
  served.of(dialect, stream ? "true" : "false", outcome).value++;
}

const holds = createCounter({
  name: "turnpike_relay_holds_total",
  help: "Holds by what became of them: held, deferred (ample balance), open_mode, limited, user_quota, token_quota, not_loaded, failed",
  labelNames: ["outcome"],
});
const deferredHolds = holds.of("deferred");
const heldHolds = holds.of("held");

/** Counts what became of a hold. */
export function holdDecided(outcome: string): void {
  if (outcome === "deferred") deferredHolds.value++;
  else if (outcome === "held") heldHolds.value++;
  else holds.of(outcome).value++;
}

const money = createCounter({
  name: "turnpike_relay_money_failures_total",
  help: "What went wrong with money and is made good later: settle (Redis had no answer), publish (NATS had none)",
  labelNames: ["step"],
});

/** Counts settlements that Redis did not take; the booking of their records clears their holds. */
export const settleFailures = money.of("settle");
/** Counts messages of usage that went to disk, since NATS did not take them. */
export const publishFailures = money.of("publish");

export const scriptSeconds = createHistogram({
  name: "turnpike_relay_redis_script_seconds",
  help: "Time until Redis answered a batch of holds or settlements",
  labelNames: ["script"],
  buckets: [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.2, 1],
});

/** Calls and streams being served now, and calls that ever began; plain numbers, since they move with each call. */
export const inFlight = { calls: 0, streams: 0, begun: 0 };

/** Registers gauges whose values are read when scraped. */
export function observeRelay(sources: {
  spooledBytes: () => number;
  spoolLimitBytes: number;
  openBreakers: () => number;
  breakers: () => ReadonlyMap<number, { readonly open: readonly string[]; readonly trial: readonly string[] }>;
  routedChannels: () => number;
}): void {
  const gauge = (name: string, help: string, read: () => number): void =>
    registerGauge({ name, help, labelNames: [] }, () => [[read()]]);
  gauge("turnpike_relay_calls_in_flight", "Calls being served now", () => inFlight.calls);
  gauge("turnpike_relay_streams_in_flight", "Streamed answers being sent now", () => inFlight.streams);
  gauge("turnpike_relay_spooled_bytes", "Usage waiting on disk for NATS", sources.spooledBytes);
  gauge("turnpike_relay_spool_limit_bytes", "How much usage may wait on disk", () => sources.spoolLimitBytes);
  gauge("turnpike_relay_open_breakers", "Upstream keys that are passed over now", sources.openBreakers);
  gauge("turnpike_relay_routed_channels", "Channels that calls may be sent to", sources.routedChannels);
  const names = { help: "Keys of a channel that are passed over (open) or on trial; none where all is well" };
  registerGauge({ name: "turnpike_relay_channel_breakers", labelNames: ["channel", "state"], ...names }, () =>
    [...sources.breakers()]
      .slice(0, 1_000)
      .flatMap(([channelId, { open, trial }]) => [
        [channelId, "open", open.length] as const,
        [channelId, "trial", trial.length] as const,
      ]),
  );
}
