import { Worker } from "node:worker_threads";
import { estimateTokens } from "./token-estimate.ts";

type TokenizerResponse = { readonly id: number; readonly counts: number[] };

const RESPONSE_TIMEOUT_MS = 10_000;
/** The thread takes 25 MB: it stops after this idle time. */
const IDLE_MS = 60_000;

/** The pieces of a split text become garbage immediately. */
const YOUNG_GENERATION_MB = 4;

/** Samples of this time are sent to the thread in one message. */
const SAMPLE_WAIT_MS = 50;

/** A text whose count is not urgent, and what takes it. */
type Sample = { readonly text: string; readonly take: (tokens: number) => void };

export type Tokenizer = Pick<ReturnType<typeof createTokenizer>, "count" | "sample">;

function createSampling(count: (texts: readonly string[]) => Promise<number[]>) {
  let samples: Sample[] = [];
  const countSamples = (): void => {
    const batch = samples;
    samples = [];
    const takeAll = (counts: readonly number[]): void => {
      for (const [index, { take }] of batch.entries()) take(counts[index] ?? 0);
    };
    count(batch.map(({ text }) => text)).then(takeAll, () => undefined);
  };
  return (text: string, take: (tokens: number) => void): void => {
    if (samples.push({ text, take }) === 1) setTimeout(countSamples, SAMPLE_WAIT_MS);
  };
}

/**
 * Counts tokens (o200k) in a separate thread, so that a long prompt does not block other streams. The thread starts on
 * demand, also after a failure or an idle stop; if it does not respond in time, the quick estimate is used.
 */
export function createTokenizer(idleMs = IDLE_MS) {
  let worker: Worker | undefined;
  let suspended: NodeJS.Timeout | undefined;
  let nextId = 1;
  const waiting = new Map<number, (counts: number[] | undefined) => void>();

  const failAll = (): void => {
    worker = undefined;
    for (const settle of waiting.values()) settle(undefined);
    waiting.clear();
  };
  const start = (): Worker => {
    const thread = new Worker(new URL("./tokenizer-thread.ts", import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    thread.unref();
    thread.on("message", ({ id, counts }: TokenizerResponse) => {
      waiting.get(id)?.(counts);
      waiting.delete(id);
    });
    const end = (): void => {
      if (worker === thread) failAll();
    };
    thread.on("error", end);
    thread.on("exit", end);
    return thread;
  };
  const rest = (): void => {
    if (waiting.size > 0) return restLater();
    void worker?.terminate();
    worker = undefined;
  };
  const restLater = (): void => {
    clearTimeout(suspended);
    suspended = setTimeout(rest, idleMs).unref();
  };
  const count = async (texts: readonly string[]): Promise<number[]> => {
    worker ??= start();
    restLater();
    const id = nextId++;
    const counts = await new Promise<number[] | undefined>((resolve) => {
      const timer = setTimeout(() => {
        waiting.delete(id);
        resolve(undefined);
      }, RESPONSE_TIMEOUT_MS);
      waiting.set(id, (response) => {
        clearTimeout(timer);
        resolve(response);
      });
      worker?.postMessage({ id, texts });
    });
    return counts ?? texts.map(estimateTokens);
  };
  return {
    isRunning: (): boolean => worker !== undefined,
    /** Token counts of the texts, in order. */
    count,
    /** Counts a text a moment later, together with those of other streams: each message to the thread has its price. */
    sample: createSampling(count),
  };
}
