import { ANTHROPIC_FRAMES, GEMINI_FRAMES, STREAM_FRAMES } from "../nginx.ts";
import { type Bench, OTHER_CORES, print } from "../bench.ts";
import { formatSpread, recordFigure } from "../figures.ts";
import { type LoadTarget, throughput } from "../measure.ts";
import { percentile } from "../streams.ts";

const ROUNDS = 3;
const CONNECTIONS = 64;

/** Formats of upstreams: channel type, folder below the upstream's address, and events of its response. */
const FORMATS = {
  openai: { type: 1, folder: "stream", events: STREAM_FRAMES.length },
  anthropic: { type: 14, folder: "anthropic", events: ANTHROPIC_FRAMES.length },
  gemini: { type: 24, folder: "gemini", events: GEMINI_FRAMES.length },
} as const;
type Format = keyof typeof FORMATS;

const PAIRS: readonly (readonly [caller: Format, upstream: Format])[] = [
  ["openai", "anthropic"],
  ["anthropic", "openai"],
  ["openai", "gemini"],
  ["gemini", "openai"],
];

/** A streaming call in a caller's format. */
function callIn(format: Format, origin: string, key: string, model: string): LoadTarget {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const messages = [{ role: "user", content: "Say hello, please." }];
  if (format === "openai")
    return { url: `${origin}/v1/chat/completions`, headers, body: JSON.stringify({ model, stream: true, messages }) };
  if (format === "anthropic")
    return {
      url: `${origin}/v1/messages`,
      headers: { ...headers, "anthropic-version": "2023-06-01" },
      body: JSON.stringify({ model, stream: true, max_tokens: 100, messages }),
    };
  return {
    url: `${origin}/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    headers,
    body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Say hello, please." }] }] }),
  };
}

/**
 * Streams that are converted between dialects, in upstream events per second, next to the bare proxy, which passes on
 * the upstream's stream as it is; returns the number of failed responses.
 */
export async function measureConversions(bench: Bench, seconds: number): Promise<number> {
  const origin = (through: "relay" | "bare proxy" | "upstream"): string =>
    new URL(bench.target(through, "stream").url).origin;
  const options = { seconds, connections: CONNECTIONS, cores: OTHER_CORES };
  let failed = 0;
  print(`\nconverted streams, ${CONNECTIONS} connections, ${ROUNDS} rounds by turns, in upstream events`);
  for (const [caller, upstream] of PAIRS) {
    const { type, folder, events } = FORMATS[upstream];
    const model = `${caller}-to-${upstream}`;
    await bench.addModel(model, `${origin("upstream")}/${folder}`, type);
    const relay = callIn(caller, origin("relay"), bench.key, model);
    const bare = callIn(upstream, `${origin("bare proxy")}/${folder}`, bench.key, model);
    await throughput(relay, { ...options, seconds: 1 });
    const rates: { relay: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const results = { bare: await throughput(bare, options), relay: await throughput(relay, options) };
      failed += results.bare.failed + results.relay.failed;
      rates.push({ relay: results.relay.perSecond * events, bare: results.bare.perSecond * events });
    }
    const ratios = rates.map((rate) => rate.relay / rate.bare);
    const perSecond = percentile(
      rates.map((rate) => rate.relay),
      0.5,
    ).toFixed(0);
    const shown = `${formatSpread(ratios)} of the bare proxy`;
    print(`  ${`${caller} caller, ${upstream} upstream`.padEnd(36)} ${perSecond.padStart(7)} /s   ${shown}`);
    recordFigure(`converted streams, ${caller} caller, ${upstream} upstream`, `${perSecond} events/s: ${shown}`);
  }
  return failed;
}
