import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript, type Script } from "@turnpike/shared/redis/script";
import { RESERVE } from "../idempotency/idempotency-scripts.ts";

type Deps = {
  readonly redis: Redis;
  readonly getBytesMax: () => number;
  readonly now: () => number;
};

const BYTES_KEY = "responses:bytes";
const HOUR_MS = 3_600_000;

/** The hour in which something expires. */
export const toHour = (ms: number): number => Math.floor(ms / HOUR_MS);

/** Counts the bytes that are stored for all users, by the hour in which they expire. */
export class StoredBytes {
  readonly #deps: Deps;
  readonly #run: Script;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#run = defineScript(deps.redis, RESERVE);
  }

  /** Counts bytes, negative ones to release them; false if they do not fit below `bytesMax`. */
  async reserve(bytes: number, hour: number, bytesMax = this.#deps.getBytesMax()): Promise<boolean> {
    if (bytes === 0) return true;
    return (await this.#run(1, BYTES_KEY, bytes, bytesMax, hour, toHour(this.#deps.now()))) === 1;
  }

  /** Releases what was dropped: hours and bytes in turn. Hours that are over are counted no more. */
  async release(dropped: readonly number[]): Promise<void> {
    const hourNow = toHour(this.#deps.now());
    for (let at = 0; at + 1 < dropped.length; at += 2) {
      const [hour = 0, bytes = 0] = dropped.slice(at, at + 2);
      if (hour >= hourNow) await this.reserve(-bytes, hour);
    }
  }
}
