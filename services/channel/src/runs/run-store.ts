import { createLease, type Lease } from "@turnpike/shared/lease/lease";
import { createMongoLeaseStore } from "@turnpike/shared/lease/mongo-lease-store";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { RunCounts, RunDoc, RunKind, RunModel } from "./run-model.ts";

export type RunStore = ReturnType<typeof createRunStore>;

const LEASE_MS = 20_000;
const NOTHING: RunCounts = { done: 0, failed: 0, disabled: 0, enabled: 0 };

type Deps = { readonly runs: RunModel; readonly nowMs: () => number };

const heldBy = (kind: RunKind, holder: string) => ({ _id: kind, isRunning: true, holder });

/** Starts of runs. */
function createRunStarts({ runs, nowMs }: Deps) {
  const fresh = (isManual: boolean) => {
    const owner = { holder: "", leaseUntilMs: 0, cursor: 0 };
    return { ...NOTHING, ...owner, isRunning: true, isManual, startedAtMs: nowMs(), endedAtMs: 0 };
  };
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
  };
}

/** Runs in progress. */
function createRunProgress({ runs, nowMs }: Deps) {
  const collection = runs.db.collection<RunDoc>(runs.collection.name);
  return {
    /** The lease of a kind of run; only a run in progress can be held. */
    getLease(kind: RunKind): Lease {
      const store = createMongoLeaseStore({
        collection,
        id: kind,
        holderField: "holder",
        untilField: "leaseUntilMs",
        heldWhile: { isRunning: true },
        nowMs,
      });
      return createLease({ store, durationMs: LEASE_MS });
    },
    /** The run that the holder has leased; undefined when another replica holds it. */
    async get(kind: RunKind, holder: string): Promise<RunDoc | undefined> {
      const run = await runs.findOne(heldBy(kind, holder)).maxTimeMS(QUERY_TIMEOUT_MS).lean<RunDoc | null>();
      return run ?? undefined;
    },
    /** Records that all channels up to `cursor` are done; false when another replica holds the run. */
    async advance(kind: RunKind, holder: string, cursor: number, counts: RunCounts): Promise<boolean> {
      const further = { $set: { cursor }, $inc: counts };
      const advanced = await runs.updateOne(heldBy(kind, holder), further).maxTimeMS(QUERY_TIMEOUT_MS);
      return advanced.matchedCount > 0;
    },
  };
}

/** Ends of runs. */
function createRunEnds({ runs, nowMs }: Deps) {
  const ended = () => ({ $set: { isRunning: false, holder: "", leaseUntilMs: 0, endedAtMs: nowMs() } });
  return {
    /** Ends the run and returns it; undefined when another replica holds it. */
    async finish(kind: RunKind, holder: string): Promise<RunDoc | undefined> {
      const run = await runs
        .findOneAndUpdate(heldBy(kind, holder), ended(), { returnDocument: "after" })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<RunDoc | null>();
      return run ?? undefined;
    },
    /** Ends the run, whichever replica holds it; false when none is in progress. */
    async cancel(kind: RunKind): Promise<boolean> {
      const cancelled = await runs.updateOne({ _id: kind, isRunning: true }, ended()).maxTimeMS(QUERY_TIMEOUT_MS);
      return cancelled.matchedCount > 0;
    },
  };
}

/** The only file that accesses stored runs. */
export const createRunStore = (deps: Deps) => ({
  ...createRunStarts(deps),
  ...createRunProgress(deps),
  ...createRunEnds(deps),
  list: (): Promise<RunDoc[]> => deps.runs.find().maxTimeMS(QUERY_TIMEOUT_MS).lean<RunDoc[]>().exec(),
});
