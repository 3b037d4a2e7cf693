import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import type { StreamBarrier } from "../usage-stream/stream-barrier.ts";
import type { OpenCalls } from "./open-calls.ts";
import { createRelayLiveness } from "./relay-liveness.ts";
import { parseOpenCallDetails, type OpenCall, toRecoveredRecord } from "@turnpike/shared/accounts/recovered-usage";

type Deps = {
  readonly openCalls: OpenCalls;
  /** Post what the stream holds first: it contains most calls of a dead relay. */
  readonly barrier: StreamBarrier;
  /** Publishes a record to the usage stream. */
  readonly publish: (records: readonly UsageRecord[]) => Promise<void>;
  /** For the time since heartbeats changed; no clock change moves it. */
  readonly monotonicMs: () => number;
  readonly log: Logger;
};

export type OpenCallRecovery = ReturnType<typeof createOpenCallRecovery>;

const STALE_AFTER_SECONDS = 3_600;
const BATCH_SIZE = 100;
const CALLS_AT_ONCE_MAX = 10_000;

/** The open calls that match, as many as one round posts. */
async function collectCalls(openCalls: OpenCalls, isMatch: (call: OpenCall) => boolean): Promise<OpenCall[]> {
  const found = new Map<string, OpenCall>();
  for await (const call of openCalls.all()) {
    if (isMatch(call)) found.set(call.requestId, call);
    if (found.size >= CALLS_AT_ONCE_MAX) break;
  }
  return [...found.values()];
}

/**
 * Posts the calls that dead relays left open, through the usage stream, so that a call that was already posted changes
 * nothing. Throws while Redis or NATS is down; the next round starts over.
 */
export function createOpenCallRecovery(deps: Deps) {
  const { openCalls, log } = deps;
  const nowSeconds = (): number => Math.floor(Date.now() / 1000);
  const liveness = createRelayLiveness(deps.monotonicMs);
  let settledBefore: ReadonlySet<string> = new Set();

  const readDead = async (): Promise<{ beats: ReadonlySet<string>; dead: ReadonlySet<string> }> => {
    const beats = await openCalls.heartbeats();
    return { beats: new Set(beats.keys()), dead: new Set(liveness.observe(beats)) };
  };
  /** Returns how many of the calls were still open and are queued for posting. */
  const recover = async (calls: readonly OpenCall[]): Promise<number> => {
    if (calls.length === 0) return 0;
    await deps.barrier();
    const open = await openCalls.claim(calls);
    for (let start = 0; start < open.length; start += BATCH_SIZE)
      await deps.publish(open.slice(start, start + BATCH_SIZE).map((call) => toRecoveredRecord(call, nowSeconds())));
    if (open.length > 0) log.warn({ calls: open.length }, "calls of dead relays posted from their holds");
    return open.length;
  };
  return {
    /** Finds relays without a heartbeat and posts their open calls; removes them once none is left. */
    async recoverDead(): Promise<void> {
      const { dead } = await readDead();
      if (dead.size === 0) return;
      const calls = await collectCalls(openCalls, ({ entry }) => dead.has(entry.relayId));
      await recover(calls);
      const withCalls = new Set(calls.map(({ entry }) => entry.relayId));
      for (const relayId of dead) {
        if (withCalls.has(relayId)) continue;
        await openCalls.forgetRelay(relayId);
        log.info({ relayId }, "dead relay has no open calls left");
      }
    },
    /**
     * The full round: calls open for more than an hour whose relay is unknown, those that were already settled in the
     * previous round but are not posted, and those that a janitor claimed and did not post.
     */
    async recoverStale(): Promise<void> {
      const before = nowSeconds() - STALE_AFTER_SECONDS;
      const { beats } = await readDead();
      if (!liveness.isSteady()) return;
      const settled = new Set<string>();
      const calls = await collectCalls(openCalls, ({ requestId, entry }) => {
        if (entry.settled) settled.add(requestId);
        const isOld = parseOpenCallDetails(entry).at < before;
        if (entry.isClaimed === true) return true;
        return entry.settled ? isOld || settledBefore.has(requestId) : isOld && !beats.has(entry.relayId);
      });
      settledBefore = settled;
      await recover(calls);
    },
  };
}
