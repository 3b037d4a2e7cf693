import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import type { StreamBarrier } from "../usage-stream/stream-barrier.ts";
import type { OpenCalls } from "./open-calls.ts";
import { parseOpenCallDetails, type OpenCall, toRecoveredRecord } from "@turnpike/shared/accounts/recovered-usage";

type Deps = {
  readonly openCalls: OpenCalls;
  /** Post what the stream holds first: it contains most calls of a dead relay. */
  readonly barrier: StreamBarrier;
  /** Publishes a record to the usage stream. */
  readonly publish: (records: readonly UsageRecord[]) => Promise<void>;
  /** Since when Redis has responded without interruption, by the clock. */
  readonly redisUpSinceMs: () => number;
  readonly nowMs: () => number;
  readonly log: Logger;
};

export type OpenCallRecovery = ReturnType<typeof createOpenCallRecovery>;

/** A relay without a heartbeat for this long is dead. */
export const DEAD_AFTER_MS = 15_000;
const STALE_AFTER_MS = 3_600_000;
const BATCH_SIZE = 100;
const CALLS_AT_ONCE_MAX = 10_000;

/**
 * Posts the calls that dead relays left open, through the usage stream, so that a call that was already posted changes
 * nothing. Throws while Redis or NATS is down; the next round starts over.
 */
export function createOpenCallRecovery(deps: Deps) {
  const { openCalls, log } = deps;
  const nowSeconds = (): number => Math.floor(deps.nowMs() / 1000);
  let troubleAtMs = 0;
  let settledBefore: ReadonlySet<string> = new Set();

  /** Effective heartbeats: while Redis was down no relay could send one, so each gets its full timeout afterwards. */
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
  /** Returns how many of the calls were still open and are queued for posting. */
  const recover = async (calls: readonly OpenCall[]): Promise<number> => {
    if (calls.length === 0) return 0;
    await deps.barrier();
    const open = await openCalls.stillOpen(calls);
    for (let start = 0; start < open.length; start += BATCH_SIZE)
      await deps.publish(open.slice(start, start + BATCH_SIZE).map((call) => toRecoveredRecord(call, nowSeconds())));
    if (open.length > 0) log.warn({ calls: open.length }, "calls of dead relays posted from their holds");
    return open.length;
  };
  return {
    /** Finds relays without a heartbeat and posts their open calls; removes them once none is left. */
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
        log.info({ relayId }, "dead relay has no open calls left");
      }
    },
    /**
     * The full round: calls open for more than an hour whose relay is unknown, and those that were already settled in
     * the previous round but are not posted.
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
