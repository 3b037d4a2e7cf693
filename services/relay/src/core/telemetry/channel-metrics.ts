import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import {
  type CounterSeries,
  createCounter,
  createHistogram,
  type HistogramSeries,
} from "@turnpike/shared/telemetry/metric-series";

const attempts = createCounter(
  {
    name: "turnpike_relay_channel_attempts_total",
    help: "Attempts at upstreams by channel and status class; no_response: connection refused, cut or idle timeout",
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

type ChannelSeries = { readonly ok: CounterSeries; readonly wait: HistogramSeries };
const CHANNELS_MAX = 10_000;
const seriesByChannel = new Map<number, ChannelSeries>();

function getSeries(channelId: number): ChannelSeries {
  const known = seriesByChannel.get(channelId);
  if (known) return known;
  if (seriesByChannel.size >= CHANNELS_MAX) seriesByChannel.clear();
  const series = { ok: attempts.of(channelId, "2xx"), wait: waits.of(channelId) };
  seriesByChannel.set(channelId, series);
  return series;
}

/** Counts a successful attempt at a channel and its duration in milliseconds. */
export function countChannelResponse(channelId: number, waitedMs: number | undefined): void {
  const { ok, wait } = getSeries(channelId);
  ok.value++;
  if (waitedMs !== undefined) wait.observe(waitedMs / 1000);
}

/** Counts a failed attempt: a status class, or no_response. */
export function channelFailed(channelId: number, status: string): void {
  attempts.of(channelId, status).value++;
}

const prompts = createCounter(
  {
    name: "turnpike_relay_channel_prompt_tokens_total",
    help: "Charged prompt tokens by channel and kind: input (all of them), cache_read, cache_write; the hit rate of the prompt cache is cache_read divided by input",
    labelNames: ["channel", "kind"],
  },
  { seriesMax: 3_000 },
);
type PromptSeries = Readonly<Record<"input" | "read" | "write", CounterSeries>>;
const promptsByChannel = new Map<number, PromptSeries>();

function getPromptSeries(channelId: number): PromptSeries {
  const known = promptsByChannel.get(channelId);
  if (known) return known;
  if (promptsByChannel.size >= CHANNELS_MAX) promptsByChannel.clear();
  const series = {
    input: prompts.of(channelId, "input"),
    read: prompts.of(channelId, "cache_read"),
    write: prompts.of(channelId, "cache_write"),
  };
  promptsByChannel.set(channelId, series);
  return series;
}

/** Counts the prompt tokens charged for a call that a channel served, and those of its prompt cache. */
export function countChannelPrompt(channelId: number, usage: TokenUsage): void {
  const { input, read, write } = getPromptSeries(channelId);
  input.value += usage.promptTokens;
  read.value += usage.cacheReadTokens;
  write.value += usage.cacheWriteTokens;
}
