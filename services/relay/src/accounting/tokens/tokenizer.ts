import { Worker } from "node:worker_threads";
import { estimateTokens } from "./token-estimate.ts";

type Answer = { readonly id: number; readonly counts: number[] };

const ANSWER_TIMEOUT_MS = 10_000;
/** The thread takes 25 MB: it stops after this idle time. */
const IDLE_MS = 60_000;

/** The pieces of a split text become garbage immediately. */
const YOUNG_GENERATION_MB = 4;

export type Tokenizer = Pick<ReturnType<typeof createTokenizer>, "count">;

/**
 * Counts tokens (o200k) in a separate thread, so that a long prompt does not block other streams. The thread starts on
 * demand, also after a failure or an idle stop; if it does not respond in time, the quick estimate is used.
 */
export function createTokenizer(idleMs = IDLE_MS) {
  let worker: Worker | undefined;
  let resting: NodeJS.Timeout | undefined;
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
    thread.on("message", ({ id, counts }: Answer) => {
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
    clearTimeout(resting);
    resting = setTimeout(rest, idleMs).unref();
  };
  return {
    isRunning: (): boolean => worker !== undefined,
    /** Token counts of the texts, in order. */
    async count(texts: readonly string[]): Promise<number[]> {
      worker ??= start();
      restLater();
      const id = nextId++;
      const counts = await new Promise<number[] | undefined>((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          resolve(undefined);
        }, ANSWER_TIMEOUT_MS);
        waiting.set(id, (answer) => {
          clearTimeout(timer);
          resolve(answer);
        });
        worker?.postMessage({ id, texts });
      });
      return counts ?? texts.map(estimateTokens);
    },
  };
}
