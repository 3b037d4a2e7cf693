import {
  createCounter,
  createHistogram,
  type CounterSeries,
  type HistogramSeries,
} from "@turnpike/shared/telemetry/metric-series";
import { type RecordedSpan, getRecordedSpan } from "@turnpike/shared/telemetry/batch-spans";
import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { modelFamily } from "./model-family.ts";
import { getOperationName } from "./genai-metrics.ts";

/** What is known of a call's way through the relay; its figures grow while it runs. */
export type CallWatch = {
  readonly startedAt: number;
  /** Milliseconds in which we waited for upstreams, failed attempts among them. */
  upstreamMs: number;
  /** How a stream ended that had begun and was cut. */
  cut: "upstream" | "caller" | "quota" | undefined;
  firstTokenAt: number | undefined;
  /** The call's own span and that of the attempt under way, where the call is recorded by tracing. */
  readonly span: RecordedSpan | undefined;
  attempt: RecordedSpan | undefined;
};

/** Begins to watch the call that runs now. */
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
  help: "Calls of the model API by dialect, family of models and class of status; a stream that was cut says by whom",
  labelNames: ["dialect", "stream", "family", "status"],
});
const durations = createHistogram({
  name: "turnpike_relay_call_seconds",
  help: "Time from the request's head to the end of the answer",
  labelNames: ["dialect", "stream"],
  buckets: [0.005, 0.02, 0.1, 0.5, 1, 3, 10, 30, 100, 300],
});
const added = createHistogram({
  name: "turnpike_relay_added_seconds",
  help: "What the relay itself added: until the first byte of a stream or the end of a whole answer, upstream's time taken off",
  labelNames: ["dialect", "stream"],
  buckets: [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2],
});
const firstTokens = createHistogram({
  name: "gen_ai_server_time_to_first_token_seconds",
  help: "Time from the request's head to the first byte of a streamed answer",
  labelNames: ["gen_ai_operation_name", "gen_ai_request_model"],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 10, 30],
});
const tokens = createCounter({
  name: "turnpike_relay_tokens_total",
  help: "Tokens that were charged, by kind: input (cached ones among them), output (reasoning among them), cached, reasoning",
  labelNames: ["family", "kind"],
});

/** Series of one dialect and family; kept, so that a call finds them with a few map look-ups and no string building. */
type Kept = {
  readonly statuses: Map<string, CounterSeries>;
  readonly duration: HistogramSeries;
  readonly added: HistogramSeries;
  readonly firstToken: HistogramSeries;
};
const kept = [new Map<string, Map<string, Kept>>(), new Map<string, Map<string, Kept>>()] as const;

function seriesOf(dialect: string, stream: boolean, family: string): Kept {
  const dialects = kept[stream ? 1 : 0];
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

const CUT = { upstream: "cut_by_upstream", caller: "cut_by_caller", quota: "cut_by_quota" } as const;

/** Counts a call that has ended, `call` undefined where it was refused before it could be read; `answered` is a class of status. */
export function callEnded(
  dialect: string,
  call: { readonly stream: boolean; readonly model: string } | undefined,
  watch: CallWatch,
  answered: string,
): void {
  const family = call === undefined ? "none" : modelFamily(call.model);
  const stream = call?.stream === true;
  const series = seriesOf(dialect, stream, family);
  const status = watch.cut === undefined ? answered : CUT[watch.cut];
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
