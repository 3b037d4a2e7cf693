import type { Collections } from "../store/collections.ts";
import type { BalanceCache, BalanceChange } from "./balance-cache.ts";

export type AccountSweep = ReturnType<typeof createAccountSweep>;

const FIRST_LOOK_BACK_MS = 5 * 60_000;
/** Commits may become visible slightly later than their timestamp, and clocks differ slightly. */
const OVERLAP_MS = 60_000;
const BATCH_SIZE = 500;

/**
 * Writes accounts and budgets that changed since the last full sweep to Redis again, in case a process crashed between
 * its commit and Redis, or Redis was down. Throws when it could not finish; the next sweep then looks back equally far.
 */
export function createAccountSweep(deps: {
  collections: Collections;
  balanceCache: Pick<BalanceCache, "post">;
  nowMs: () => number;
}) {
  const { accounts, tokens, state } = deps.collections;

  const bring = async (changes: Map<number, BalanceChange & { tokenIds: Set<number> }>): Promise<void> => {
    await deps.balanceCache.post(changes);
    changes.clear();
  };
  return async function sweep(): Promise<void> {
    const beganAtMs = deps.nowMs();
    const last = await state.findOne({ _id: "sweep" });
    const sinceMs = (last?.untilMs ?? beganAtMs - FIRST_LOOK_BACK_MS) - OVERLAP_MS;
    const changes = new Map<number, BalanceChange & { tokenIds: Set<number> }>();
    const of = (userId: number): { tokenIds: Set<number> } => {
      const change = changes.get(userId) ?? { tokenIds: new Set<number>(), requestIds: [] };
      changes.set(userId, change);
      return change;
    };
    const changed = { changedAtMs: { $gte: sinceMs } };
    for await (const { _id } of accounts.find(changed, { projection: { _id: 1 } })) {
      of(_id);
      if (changes.size >= BATCH_SIZE) await bring(changes);
    }
    for await (const { _id, userId } of tokens.find(changed, { projection: { userId: 1 } })) {
      of(userId).tokenIds.add(_id);
      if (changes.size >= BATCH_SIZE) await bring(changes);
    }
    await bring(changes);
    await state.updateOne({ _id: "sweep" }, { $max: { untilMs: beganAtMs } }, { upsert: true });
  };
}
