import { Worker } from "node:worker_threads";
import { roughTokens } from "./estimate.ts";

type Answer = { readonly id: number; readonly counts: number[] };

const ANSWER_TIMEOUT_MS = 10_000;

export type Tokenizer = ReturnType<typeof createTokenizer>;

/**
 * Counts tokens (o200k) in a thread of its own, so that a long prompt stalls nobody's stream. The thread starts at the first use
 * and again after a failure; when it does not answer in time the rough figure is taken.
 */
export function createTokenizer() {
  let worker: Worker | undefined;
  let nextId = 1;
  const waiting = new Map<number, (counts: number[] | undefined) => void>();

  const failAll = (): void => {
    worker = undefined;
    for (const settle of waiting.values()) settle(undefined);
    waiting.clear();
  };
  const start = (): Worker => {
    const thread = new Worker(new URL("./tokenizer-thread.ts", import.meta.url));
    thread.unref();
    thread.on("message", ({ id, counts }: Answer) => {
      waiting.get(id)?.(counts);
      waiting.delete(id);
    });
    thread.on("error", failAll);
    thread.on("exit", failAll);
    return thread;
  };
  return {
    /** Token counts of the texts, in order. */
    async count(texts: readonly string[]): Promise<number[]> {
      worker ??= start();
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
      return counts ?? texts.map(roughTokens);
    },
  };
}
