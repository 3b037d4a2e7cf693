import { type BackgroundLoop, createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { Redis } from "@turnpike/shared/redis/redis";
import { z } from "zod";
import type { HiddenReasoning } from "./hidden-reasoning.ts";

/** Hash: model → what relays have learned of its hidden reasoning. */
const KEY = "reasoning";
const EVERY_MS = 60_000;
const KEPT_SECONDS = 30 * 86_400;

const Stored = z.object({
  share: z.number().min(0).max(0.99),
  tokens: z.number().min(0),
  tookMs: z.number().min(0),
});

function parseStored(text: string): z.output<typeof Stored> | undefined {
  try {
    return Stored.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Shares what relays have learned of hidden reasoning through Redis, so that a relay knows after its start what others, or the
 * one before it, have learned.
 */
export function createSharedReasoning({ redis, hidden }: { redis: Redis; hidden: HiddenReasoning }): BackgroundLoop & {
  readonly share: () => Promise<void>;
} {
  const share = async (): Promise<void> => {
    const changes = [...hidden.takeChanges()].flatMap(([model, learned]) => [model, JSON.stringify(learned)]);
    if (changes.length > 0) {
      await redis.hset(KEY, ...changes);
      await redis.expire(KEY, KEPT_SECONDS);
    }
    for (const [model, text] of Object.entries(await redis.hgetall(KEY))) {
      const learned = parseStored(text);
      if (learned) hidden.adopt(model, learned);
    }
  };
  const loop = createBackgroundLoop({ task: "learned reasoning", run: share, everyMs: EVERY_MS });
  return { ...loop, share };
}
