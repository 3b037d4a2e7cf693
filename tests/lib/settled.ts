import { setTimeout as pause } from "node:timers/promises";
import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, type Redis, waitForRedis } from "@turnpike/shared/redis/redis";
import { scanKeys } from "@turnpike/shared/redis/scan";
import type { World } from "./world.ts";

const CONNECT_TIMEOUT_MS = 5_000;
/** A call of a high-balance account gets its entry in Redis a moment after its response. */
const ENTRY_WITHIN_MS = 300;
const log = createLogger("settled", "silent");

async function hasOpenCalls(redis: Redis): Promise<boolean> {
  for await (const keys of scanKeys(redis, "open:*")) if (keys.length > 0) return true;
  return false;
}

/** True once no call has an open hold or waits to be posted: billing has caught up. */
export async function isSettled(world: Pick<World, "redisUrl" | "namespace">): Promise<boolean> {
  const redis = connectRedis({ url: world.redisUrl, namespace: world.namespace, log });
  try {
    if (!(await waitForRedis(redis, CONNECT_TIMEOUT_MS))) return false;
    if (await hasOpenCalls(redis)) return false;
    await pause(ENTRY_WITHIN_MS);
    return !(await hasOpenCalls(redis));
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}
