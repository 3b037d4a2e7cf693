import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { RunCounts, RunDoc, RunKind, RunModel } from "./run-model.ts";

export type RunStore = ReturnType<typeof createRunStore>;

const LEASE_MS = 20_000;
const NOTHING: RunCounts = { done: 0, failed: 0, disabled: 0, enabled: 0 };

/** The only file that accesses stored runs. A run's lease expires when its holder dies. */
export function createRunStore(deps: { runs: RunModel; nowMs: () => number }) {
  const { runs, nowMs } = deps;
  const fresh = (isManual: boolean) => {
    const owner = { holder: "", leaseUntilMs: 0, cursor: 0 };
    return { ...NOTHING, ...owner, isRunning: true, isManual, startedAtMs: nowMs(), endedAtMs: 0 };
  };
  const held = (kind: RunKind, holder: string) => ({ _id: kind, isRunning: true, holder });
  return {
    /** Starts a requested run; false while one is in progress. */
    async begin(kind: RunKind): Promise<boolean> {
      try {
        await runs
          .updateOne({ _id: kind, isRunning: { $ne: true } }, { $set: fresh(true) }, { upsert: true })
          .maxTimeMS(QUERY_TIMEOUT_MS);
        return true;
      } catch (error) {
        // A run is in progress: the upsert tried to create a second document of this kind.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /**
     * Starts a run when the interval since the last one is over; the first waits for one interval from the first check
     * on.
     */
    async beginWhenDue(kind: RunKind, everyMs: number): Promise<void> {
      const due = { _id: kind, isRunning: { $ne: true }, startedAtMs: { $lte: nowMs() - everyMs } };
      const started = await runs.updateOne(due, { $set: fresh(false) }).maxTimeMS(QUERY_TIMEOUT_MS);
      if (started.matchedCount > 0) return;
      const first = { $setOnInsert: { ...fresh(false), isRunning: false } };
      await runs
        .updateOne({ _id: kind }, first, { upsert: true })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error;
        });
    },
    /** Leases the run when it is in progress and no live replica holds it. */
    async take(kind: RunKind, holder: string): Promise<RunDoc | undefined> {
      const free = { _id: kind, isRunning: true, $or: [{ holder }, { leaseUntilMs: { $lte: nowMs() } }] };
      const mine = { $set: { holder, leaseUntilMs: nowMs() + LEASE_MS } };
      const taken = await runs
        .findOneAndUpdate(free, mine, { returnDocument: "after" })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<RunDoc | null>();
      return taken ?? undefined;
    },
    /** Renews the run's lease; false when another replica holds it. */
    async renew(kind: RunKind, holder: string): Promise<boolean> {
      const mine = { $set: { leaseUntilMs: nowMs() + LEASE_MS } };
      const renewed = await runs.updateOne(held(kind, holder), mine).maxTimeMS(QUERY_TIMEOUT_MS);
      return renewed.matchedCount > 0;
    },
    /** Records that all channels up to `cursor` are done; false when another replica holds the run. */
    async advance(kind: RunKind, holder: string, cursor: number, counts: RunCounts): Promise<boolean> {
      const further = { $set: { cursor, leaseUntilMs: nowMs() + LEASE_MS }, $inc: counts };
      const noted = await runs.updateOne(held(kind, holder), further).maxTimeMS(QUERY_TIMEOUT_MS);
      return noted.matchedCount > 0;
    },
    /** Ends the run and returns it; undefined when another replica holds it. */
    async finish(kind: RunKind, holder: string): Promise<RunDoc | undefined> {
      const end = { $set: { isRunning: false, holder: "", leaseUntilMs: 0, endedAtMs: nowMs() } };
      const ended = await runs
        .findOneAndUpdate(held(kind, holder), end, { returnDocument: "after" })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<RunDoc | null>();
      return ended ?? undefined;
    },
    /** Ends the run whoever holds it; false when none is in progress. */
    async cancel(kind: RunKind): Promise<boolean> {
      const end = { $set: { isRunning: false, holder: "", leaseUntilMs: 0, endedAtMs: nowMs() } };
      const ended = await runs.updateOne({ _id: kind, isRunning: true }, end).maxTimeMS(QUERY_TIMEOUT_MS);
      return ended.matchedCount > 0;
    },
    /** Releases every lease of this holder at once. */
    async release(holder: string): Promise<void> {
      await runs.updateMany({ holder }, { $set: { holder: "", leaseUntilMs: 0 } }).maxTimeMS(QUERY_TIMEOUT_MS);
    },
    list: (): Promise<RunDoc[]> => runs.find().maxTimeMS(QUERY_TIMEOUT_MS).lean<RunDoc[]>().exec(),
  };
}
