import { openKey } from "@turnpike/shared/accounts/account-keys";
import { FIND_HOLDS } from "@turnpike/shared/accounts/call-scripts";
import { createBackgroundLoop, type BackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { Held } from "./hold-releases.ts";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript } from "@turnpike/shared/redis/script";

const EVERY_MS = 60_000;
/** Scripts at once: a round must not hold up the calls. */
const AT_ONCE = 50;
/** A hold shows up as lost at the second check; its user is checked for this many rounds after the call. */
const ROUNDS = 3;

export type RunningHolds = ReturnType<typeof createRunningHolds>;

/** The calls of this relay that hold or are about to, and the users they were for. */
export function createRunningHolds() {
  const running = new Set<string>();
  /** Users by the round in which a call of theirs began or ended, newest first. */
  const users: Set<number>[] = [new Set()];
  return {
    began(userId: number, requestId: string): void {
      running.add(requestId);
      users[0]?.add(userId);
    },
    ended(userId: number, requestId: string): void {
      running.delete(requestId);
      users[0]?.add(userId);
    },
    has: (requestId: string): boolean => running.has(requestId),
    /** The users of the last rounds; begins a new one. */
    takeUsers(): Set<number> {
      const all = new Set(users.flatMap((round) => [...round]));
      users.unshift(new Set());
      users.length = Math.min(users.length, ROUNDS);
      return all;
    },
  };
}

type Deps = {
  readonly redis: Redis;
  readonly relayId: string;
  readonly running: RunningHolds;
  /** Releases a hold until Redis acknowledges it. */
  readonly release: (hold: Held) => void;
  readonly log: Logger;
};

/**
 * Releases holds of this relay that no call has: a hold that Redis granted after the call had ended, or one whose
 * settlement failed in this process. It would reserve its amount, and be charged when this relay ends. A hold is lost when
 * two checks find it without a call.
 */
export function createHoldAudit({ redis, relayId, running, release, log }: Deps): BackgroundLoop & {
  readonly checkOnce: () => Promise<void>;
} {
  const runFind = defineScript(redis, FIND_HOLDS);
  let suspects: ReadonlySet<string> = new Set();

  const lookAt = async (userId: number, found: Set<string>): Promise<void> => {
    const holds = (await runFind(1, openKey(userId), relayId)) as string[];
    for (let index = 0; index + 1 < holds.length; index += 2) {
      const [requestId = "", tokenId] = holds.slice(index, index + 2);
      if (running.has(requestId)) continue;
      found.add(requestId);
      if (!suspects.has(requestId)) continue;
      log.warn({ userId, requestId }, "hold without a call released");
      release({ userId, requestId, tokenId: Number(tokenId), limits: [] });
    }
  };
  const look = async (): Promise<void> => {
    const found = new Set<string>();
    const users = [...running.takeUsers()];
    for (let start = 0; start < users.length; start += AT_ONCE)
      await Promise.all(users.slice(start, start + AT_ONCE).map((userId) => lookAt(userId, found)));
    suspects = found;
  };
  const loop = createBackgroundLoop({ task: "hold audit", run: look, everyMs: EVERY_MS, firstMs: EVERY_MS });
  return { ...loop, checkOnce: look };
}
