import { registry } from "@turnpike/shared/telemetry/metrics";
import { Counter, Gauge, Histogram } from "prom-client";

/** The relay's own metrics. Labels are few and bounded: never models, users or tokens as callers write them. */
export const callsServed = new Counter({
  name: "turnpike_relay_calls_total",
  help: "Calls by dialect and how they ended",
  labelNames: ["dialect", "stream", "outcome"],
  registers: [registry],
});

export const callSeconds = new Histogram({
  name: "turnpike_relay_call_seconds",
  help: "Time from the request's head to the end of the answer",
  labelNames: ["dialect", "stream"],
  buckets: [0.005, 0.02, 0.1, 0.5, 1, 3, 10, 30, 100, 300],
  registers: [registry],
});

export const upstreamAttempts = new Counter({
  name: "turnpike_relay_upstream_attempts_total",
  help: "Attempts at upstreams by outcome",
  labelNames: ["outcome"],
  registers: [registry],
});

/** Calls being served now; a plain number, since it moves twice with each call. */
export const inFlight = { calls: 0 };

/** Registers gauges whose values are read when scraped. */
export function observeRelay(sources: { spooledBytes: () => number; openBreakers: () => number }): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    const metric: Gauge = new Gauge({ name, help, registers: [registry], collect: () => metric.set(read()) });
  };
  gauge("turnpike_relay_calls_in_flight", "Calls being served now", () => inFlight.calls);
  gauge("turnpike_relay_spooled_bytes", "Usage waiting on disk for NATS", sources.spooledBytes);
  gauge("turnpike_relay_open_breakers", "Upstream keys that are passed over now", sources.openBreakers);
}
