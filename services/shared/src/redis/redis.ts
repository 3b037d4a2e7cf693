import { Redis } from "ioredis";
import type { Logger } from "../log/log.ts";
import { observeRedis } from "../telemetry/backing-metrics.ts";

export type { Redis };

/**
 * Connects so that a stopped Redis fails commands at once (no offline queue, bounded waits) and reconnects
 * automatically. Keys get the namespace as prefix.
 */
export function connectRedis(options: {
  url: string;
  namespace: string;
  log: Logger;
  commandTimeoutMs?: number;
}): Redis {
  const redis = new Redis(options.url, {
    keyPrefix: options.namespace === "" ? "" : `${options.namespace}:`,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: options.commandTimeoutMs ?? 1_000,
    retryStrategy: (attempt: number) => Math.min(attempt * 50, 1_000),
  });
  let down = false;
  redis.on("error", (error: Error) => {
    // Logs once per outage, not once per attempt.
    if (!down) options.log.warn({ err: error }, "Redis unavailable");
    down = true;
  });
  redis.on("ready", () => {
    if (down) options.log.info("Redis recovered");
    down = false;
  });
  observeRedis(redis);
  return redis;
}

/**
 * Whether commands reach Redis. `status` alone stays true for one more event-loop tick after the connection has ended,
 * in which concurrent calls would still try to use Redis.
 */
export const isRedisConnected = ({ status, stream }: Redis): boolean =>
  status === "ready" && !stream.readableEnded && !stream.destroyed;

/** Waits until the connection stands, at most the given time; answers whether it does. */
export async function waitForRedis(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === "ready") return true;
  return new Promise((resolve) => {
    const onReady = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      redis.off("ready", onReady);
      resolve(false);
    }, timeoutMs);
    redis.once("ready", onReady);
  });
}
