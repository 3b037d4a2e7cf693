import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { RunCounts, RunDoc, RunKind, RunModel } from "./run-model.ts";

export type RunStore = ReturnType<typeof createRunStore>;

const LEASE_MS = 20_000;
const NOTHING: RunCounts = { done: 0, failed: 0, disabled: 0, enabled: 0 };

/** The only file that knows where runs live. A run's lease ends by itself when its holder dies. */
export function createRunStore(deps: { runs: RunModel; nowMs: () => number }) {
  const { runs, nowMs } = deps;
  const fresh = (isManual: boolean) => {
    const owner = { holder: "", leaseUntilMs: 0, cursor: 0 };
    return { ...NOTHING, ...owner, isRunning: true, isManual, startedAtMs: nowMs(), endedAtMs: 0 };
  };
  const held = (kind: RunKind, holder: string) => ({ _id: kind, isRunning: true, holder });
  return {
    /** Starts a run somebody asked for; false while one is under way. */
    async begin(kind: RunKind): Promise<boolean> {
      try {
        await runs
          .updateOne({ _id: kind, isRunning: { $ne: true } }, { $set: fresh(true) }, { upsert: true })
          .maxTimeMS(QUERY_TIMEOUT_MS);
        return true;
      } catch (error) {
        // It runs: the upsert tried to make a second document of this kind.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /** Starts a run when the last one began that long ago; the first waits as long from the first look on. */
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
    /** The run, when it is under way and nobody else who lives is at it. */
    async take(kind: RunKind, holder: string): Promise<RunDoc | undefined> {
      const free = { _id: kind, isRunning: true, $or: [{ holder }, { leaseUntilMs: { $lte: nowMs() } }] };
      const mine = { $set: { holder, leaseUntilMs: nowMs() + LEASE_MS } };
      const taken = await runs
        .findOneAndUpdate(free, mine, { returnDocument: "after" })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<RunDoc | null>();
      return taken ?? undefined;
    },
    /** Keeps the run for its holder; false when another has it. */
    async renew(kind: RunKind, holder: string): Promise<boolean> {
      const mine = { $set: { leaseUntilMs: nowMs() + LEASE_MS } };
      const renewed = await runs.updateOne(held(kind, holder), mine).maxTimeMS(QUERY_TIMEOUT_MS);
      return renewed.matchedCount > 0;
    },
    /** Notes that all channels up to `cursor` are done; false when another has the run. */
    async advance(kind: RunKind, holder: string, cursor: number, counts: RunCounts): Promise<boolean> {
      const further = { $set: { cursor, leaseUntilMs: nowMs() + LEASE_MS }, $inc: counts };
      const noted = await runs.updateOne(held(kind, holder), further).maxTimeMS(QUERY_TIMEOUT_MS);
      return noted.matchedCount > 0;
    },
    /** Ends the run and answers it; undefined when another has it. */
    async finish(kind: RunKind, holder: string): Promise<RunDoc | undefined> {
      const end = { $set: { isRunning: false, holder: "", leaseUntilMs: 0, endedAtMs: nowMs() } };
      const ended = await runs
        .findOneAndUpdate(held(kind, holder), end, { returnDocument: "after" })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<RunDoc | null>();
      return ended ?? undefined;
    },
    /** Ends the run whoever is at it; false when none is under way. */
    async cancel(kind: RunKind): Promise<boolean> {
      const end = { $set: { isRunning: false, holder: "", leaseUntilMs: 0, endedAtMs: nowMs() } };
      const ended = await runs.updateOne({ _id: kind, isRunning: true }, end).maxTimeMS(QUERY_TIMEOUT_MS);
      return ended.matchedCount > 0;
    },
    /** Lets another go on at once with everything this holder has. */
    async release(holder: string): Promise<void> {
      await runs.updateMany({ holder }, { $set: { holder: "", leaseUntilMs: 0 } }).maxTimeMS(QUERY_TIMEOUT_MS);
    },
    list: (): Promise<RunDoc[]> => runs.find().maxTimeMS(QUERY_TIMEOUT_MS).lean<RunDoc[]>().exec(),
  };
}
