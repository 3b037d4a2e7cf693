import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import type { StreamBarrier } from "../usage-stream/stream-barrier.ts";
import type { OpenCalls } from "./open-calls.ts";
import { parseOpenCallDetails, type OpenCall, toRecoveredRecord } from "@turnpike/shared/accounts/recovered-usage";

type Deps = {
  readonly openCalls: OpenCalls;
  /** What the stream holds is booked first: most calls of a dead relay are in it. */
  readonly barrier: StreamBarrier;
  /** Puts a record into the usage stream. */
  readonly publish: (records: readonly UsageRecord[]) => Promise<void>;
  /** Since when Redis has answered without a break, by the clock. */
  readonly redisUpSinceMs: () => number;
  readonly nowMs: () => number;
  readonly log: Logger;
};

export type OpenCallRecovery = ReturnType<typeof createOpenCallRecovery>;

/** A relay that has not said for this long that it lives is dead. */
export const DEAD_AFTER_MS = 15_000;
const STALE_AFTER_MS = 3_600_000;
const BATCH_SIZE = 100;
const CALLS_AT_ONCE_MAX = 10_000;

/**
 * Books the calls that dead relays left open, through the same stream as all others, so that one that was booked after all changes
 * nothing. Throws while Redis or NATS is away; the next round begins anew.
 */
export function createOpenCallRecovery(deps: Deps) {
  const { openCalls, log } = deps;
  const nowSeconds = (): number => Math.floor(deps.nowMs() / 1000);
  let troubleAtMs = 0;
  let settledBefore: ReadonlySet<string> = new Set();

  /** Heartbeats as they count: while Redis was away no relay could say anything, so each gets its time again afterwards. */
  const readBeats = async (): Promise<Map<string, number>> => {
    try {
      const beats = await openCalls.heartbeats();
      const since = Math.max(troubleAtMs, deps.redisUpSinceMs());
      return new Map([...beats].map(([relayId, beatAtMs]) => [relayId, Math.max(beatAtMs, since)]));
    } catch (error) {
      troubleAtMs = deps.nowMs();
      throw error;
    }
  };
  const collect = async (isOurs: (call: OpenCall) => boolean): Promise<OpenCall[]> => {
    const found = new Map<string, OpenCall>();
    for await (const call of openCalls.all()) {
      if (isOurs(call)) found.set(call.requestId, call);
      if (found.size >= CALLS_AT_ONCE_MAX) break;
    }
    return [...found.values()];
  };
  /** Answers how many of the calls were still open and are on their way to be booked. */
  const recover = async (calls: readonly OpenCall[]): Promise<number> => {
    if (calls.length === 0) return 0;
    await deps.barrier();
    const open = await openCalls.stillOpen(calls);
    for (let start = 0; start < open.length; start += BATCH_SIZE)
      await deps.publish(open.slice(start, start + BATCH_SIZE).map((call) => toRecoveredRecord(call, nowSeconds())));
    if (open.length > 0) log.warn({ calls: open.length }, "calls of dead relays are booked from what was held");
    return open.length;
  };
  return {
    /** Looks for relays that stopped saying that they live, and books what they left; forgets them once nothing is left. */
    async recoverDead(): Promise<void> {
      const now = deps.nowMs();
      const beats = await readBeats();
      const dead = [...beats].filter(([, beatAtMs]) => now - beatAtMs > DEAD_AFTER_MS).map(([relayId]) => relayId);
      if (dead.length === 0) return;
      const calls = await collect(({ entry }) => dead.includes(entry.relayId));
      await recover(calls);
      const withCalls = new Set(calls.map(({ entry }) => entry.relayId));
      for (const relayId of dead) {
        if (withCalls.has(relayId)) continue;
        await openCalls.forgetRelay(relayId);
        log.info({ relayId }, "a dead relay has left nothing open");
      }
    },
    /**
     * The thorough round: calls open for more than an hour whose relay is not known at all, and those that were settled in the round
     * before already and are not booked.
     */
    async recoverStale(): Promise<void> {
      const before = nowSeconds() - STALE_AFTER_MS / 1000;
      if (deps.nowMs() - deps.redisUpSinceMs() <= DEAD_AFTER_MS) return;
      const beats = await readBeats();
      const settled = new Set<string>();
      const calls = await collect(({ requestId, entry }) => {
        if (entry.settled) settled.add(requestId);
        const isOld = parseOpenCallDetails(entry).at < before;
        return entry.settled ? isOld || settledBefore.has(requestId) : isOld && !beats.has(entry.relayId);
      });
      settledBefore = settled;
      await recover(calls);
    },
  };
}
