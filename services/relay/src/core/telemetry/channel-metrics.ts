import {
  type CounterSeries,
  createCounter,
  createHistogram,
  type HistogramSeries,
} from "@turnpike/shared/telemetry/metric-series";

const attempts = createCounter(
  {
    name: "turnpike_relay_channel_attempts_total",
    help: "Attempts at upstreams by channel and status class; no_answer means a cut, a stall or a refused connection",
    labelNames: ["channel", "status"],
  },
  { seriesMax: 5_000 },
);
const waits = createHistogram(
  {
    name: "turnpike_relay_channel_seconds",
    help: "Seconds until an upstream began a streaming response or completed a non-streaming one, by channel",
    labelNames: ["channel"],
    buckets: [0.01, 0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 120],
  },
  { seriesMax: 1_000 },
);

type Kept = { readonly ok: CounterSeries; readonly wait: HistogramSeries };
const CHANNELS_MAX = 10_000;
const kept = new Map<number, Kept>();

function seriesOf(channelId: number): Kept {
  const known = kept.get(channelId);
  if (known) return known;
  if (kept.size >= CHANNELS_MAX) kept.clear();
  const series = { ok: attempts.of(channelId, "2xx"), wait: waits.of(channelId) };
  kept.set(channelId, series);
  return series;
}

/** Counts a successful attempt at a channel and its duration in milliseconds. */
export function channelAnswered(channelId: number, waitedMs: number | undefined): void {
  const { ok, wait } = seriesOf(channelId);
  ok.value++;
  if (waitedMs !== undefined) wait.observe(waitedMs / 1000);
}

/** Counts a failed attempt: a status class, or no_answer. */
export function channelFailed(channelId: number, status: string): void {
  attempts.of(channelId, status).value++;
}
