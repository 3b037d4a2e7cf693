import {
  createCounter,
  createHistogram,
  type CounterSeries,
  type HistogramSeries,
} from "@turnpike/shared/telemetry/metric-series";
import { type RecordedSpan, getRecordedSpan } from "@turnpike/shared/telemetry/batch-spans";
import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { modelFamily } from "@turnpike/shared/telemetry/model-family";
import { getOperationName } from "./genai-metrics.ts";

/** Measurements of a call's path through the relay, updated while it runs. */
export type CallWatch = {
  readonly startedAt: number;
  /** Milliseconds spent waiting for upstreams, including failed attempts. */
  upstreamMs: number;
  /** Who cut a stream that had begun. */
  cut: "upstream" | "relay" | "client" | "quota" | undefined;
  firstTokenAt: number | undefined;
  /** The span of the call and of its current attempt, if tracing samples the call. */
  readonly span: RecordedSpan | undefined;
  attempt: RecordedSpan | undefined;
};

/** Starts the measurements of the current call. */
export const watchCall = (): CallWatch => ({
  startedAt: performance.now(),
  upstreamMs: 0,
  cut: undefined,
  firstTokenAt: undefined,
  span: getRecordedSpan(),
  attempt: undefined,
});

const calls = createCounter({
  name: "turnpike_relay_requests_total",
  help: "Calls of the model API by dialect, model family and status class; for a cut stream, status is the side that ended it",
  labelNames: ["dialect", "stream", "family", "status"],
});
const durations = createHistogram({
  name: "turnpike_relay_call_seconds",
  help: "Seconds from the request's headers to the end of the response",
  labelNames: ["dialect", "stream"],
  buckets: [0.005, 0.02, 0.1, 0.5, 1, 3, 10, 30, 100, 300],
});
const added = createHistogram({
  name: "turnpike_relay_overhead_seconds",
  help: "Seconds added by the relay: until the first byte of a stream or the end of a non-streaming response, minus the time spent waiting for upstreams",
  labelNames: ["dialect", "stream"],
  buckets: [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2],
});
const firstTokens = createHistogram({
  name: "gen_ai_server_time_to_first_token_seconds",
  help: "Seconds from the request's headers to the first byte of a streaming response",
  labelNames: ["gen_ai_operation_name", "gen_ai_request_model"],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10, 30],
});
const tokens = createCounter({
  name: "turnpike_relay_tokens_total",
  help: "Charged tokens by model family and kind: input (including cached), output (including reasoning), cached, reasoning",
  labelNames: ["family", "kind"],
});

/**
 * The series of one dialect and family, cached so that a call finds them with a few map lookups and without building
 * strings.
 */
type CallSeries = {
  readonly statuses: Map<string, CounterSeries>;
  readonly duration: HistogramSeries;
  readonly added: HistogramSeries;
  readonly firstToken: HistogramSeries;
};
const seriesByDialect = [
  new Map<string, Map<string, CallSeries>>(),
  new Map<string, Map<string, CallSeries>>(),
] as const;

function getSeries(dialect: string, stream: boolean, family: string): CallSeries {
  const dialects = seriesByDialect[stream ? 1 : 0];
  let families = dialects.get(dialect);
  if (!families) dialects.set(dialect, (families = new Map()));
  let series = families.get(family);
  if (series) return series;
  const labels = [dialect, String(stream)] as const;
  series = {
    statuses: new Map(),
    duration: durations.of(...labels),
    added: added.of(...labels),
    firstToken: firstTokens.of(getOperationName(dialect), family),
  };
  families.set(family, series);
  return series;
}

const CUT = {
  upstream: "cut_by_upstream",
  relay: "cut_by_relay",
  client: "cut_by_client",
  quota: "cut_by_quota",
} as const;

/** Counts a finished call; `call` is undefined if it was refused before it was parsed; `statusClass` is its status. */
export function callEnded(
  dialect: string,
  call: { readonly stream: boolean; readonly model: string } | undefined,
  watch: CallWatch,
  statusClass: string,
): void {
  const family = call === undefined ? "none" : modelFamily(call.model);
  const stream = call?.stream === true;
  const series = getSeries(dialect, stream, family);
  const status = watch.cut === undefined ? statusClass : CUT[watch.cut];
  let cell = series.statuses.get(status);
  if (!cell) {
    cell = calls.of(dialect, String(stream), family, status);
    series.statuses.set(status, cell);
  }
  cell.value++;
  const now = performance.now();
  series.duration.observe((now - watch.startedAt) / 1000);
  if (status !== "2xx") return;
  const until = watch.firstTokenAt ?? now;
  series.added.observe(Math.max(0, until - watch.startedAt - watch.upstreamMs) / 1000);
  if (watch.firstTokenAt !== undefined) series.firstToken.observe((until - watch.startedAt) / 1000);
}

type TokenCells = Readonly<Record<"input" | "output" | "cached" | "reasoning", CounterSeries>>;
const tokenCells = new Map<string, TokenCells>();

/** Counts the tokens of a charged call. */
export function tokensCharged(model: string, usage: TokenUsage): void {
  const family = modelFamily(model);
  let cells = tokenCells.get(family);
  if (!cells) {
    cells = {
      input: tokens.of(family, "input"),
      output: tokens.of(family, "output"),
      cached: tokens.of(family, "cached"),
      reasoning: tokens.of(family, "reasoning"),
    };
    tokenCells.set(family, cells);
  }
  cells.input.value += usage.promptTokens;
  cells.output.value += usage.completionTokens;
  cells.cached.value += usage.cacheReadTokens;
  cells.reasoning.value += usage.reasoningTokens;
}
