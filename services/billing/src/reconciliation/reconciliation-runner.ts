import type { LedgerCheckRun } from "@turnpike/proto/billing/v1/ledger_service";
import { createLease, type LeaseStore } from "@turnpike/shared/lease/lease";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import type { Logger } from "@turnpike/shared/log/log";
import type { Findings } from "./findings.ts";
import { createFindings } from "./findings.ts";
import type { Collections } from "../store/collections.ts";
import type { LedgerCheckDoc } from "../store/job-documents.ts";

export type ReconciliationRunner = ReturnType<typeof createReconciliationRunner>;

/** A run without a heartbeat for this long died with its process. */
const LOST_MS = 30_000;
const NONE: LedgerCheckRun = { state: "none", startedAtSeconds: 0, finishedAtSeconds: 0, isClean: false, lines: [] };

type Deps = {
  readonly collections: Pick<Collections, "state">;
  /** Runs the reconciliation and records its findings. */
  readonly check: (findings: Findings) => Promise<void>;
  readonly nowMs: () => number;
  readonly log: Logger;
};

/** The lease of a run: the document of the last run, held while that one is in progress and gives signs of life. */
function createRunLeaseStore(state: Deps["collections"]["state"], nowMs: () => number): LeaseStore {
  const _id = "ledger_check";
  return {
    async acquire(runId, durationMs) {
      const isOver = [
        { "check.state": { $ne: "running" as const } },
        { "check.seenAtMs": { $lt: nowMs() - durationMs } },
      ];
      const at = { startedAtMs: nowMs(), seenAtMs: nowMs(), finishedAtMs: 0 };
      const check: LedgerCheckDoc = { runId, state: "running", ...at, isClean: false, lines: [] };
      try {
        await state.updateOne({ _id, $or: isOver }, { $set: { check } }, { upsert: true });
        return true;
      } catch (error) {
        // Another run is in progress: the upsert tried to create a second document with this id.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async renew(runId) {
      const renewed = { $set: { "check.seenAtMs": nowMs() } };
      return (await state.updateOne({ _id, "check.runId": runId }, renewed)).matchedCount > 0;
    },
    // A finished run holds no lease.
    release: () => Promise.resolve(),
  };
}

/**
 * Runs the reconciliation in the background, one run at a time over all replicas; the result is stored until the next
 * run.
 */
export function createReconciliationRunner({ collections: { state }, check, nowMs, log }: Deps) {
  const toRun = (doc: LedgerCheckDoc): LedgerCheckRun => ({
    state: doc.state === "running" && nowMs() - doc.seenAtMs > LOST_MS ? "failed" : doc.state,
    startedAtSeconds: Math.floor(doc.startedAtMs / 1000),
    finishedAtSeconds: Math.floor(doc.finishedAtMs / 1000),
    isClean: doc.isClean,
    lines: doc.lines,
  });
  const last = async (): Promise<LedgerCheckRun> => {
    const doc = (await state.findOne({ _id: "ledger_check" }))?.check;
    return doc ? toRun(doc) : NONE;
  };
  const updateRun = async (runId: string, change: Partial<LedgerCheckDoc>): Promise<void> => {
    const set = Object.fromEntries(Object.entries(change).map(([name, value]) => [`check.${name}`, value]));
    await state
      .updateOne({ _id: "ledger_check", "check.runId": runId }, { $set: set })
      .catch((error: unknown) => log.warn({ err: error }, "reconciliation result could not be stored"));
  };
  const run = async (runId: string): Promise<void> => {
    const findings = createFindings();
    try {
      await check(findings);
      const isClean = findings.isClean();
      await updateRun(runId, { state: "done", finishedAtMs: nowMs(), isClean, lines: findings.lines() });
      if (!isClean) log.error({ lines: findings.lines() }, "reconciliation found differences");
    } catch (error) {
      log.error({ err: error }, "reconciliation failed");
      await updateRun(runId, { state: "failed", finishedAtMs: nowMs(), lines: findings.lines() });
    }
  };
  return {
    last,
    /** Begins a run unless one is in progress; returns the one in progress. */
    async start(): Promise<LedgerCheckRun> {
      const lease = createLease({ store: createRunLeaseStore(state, nowMs), durationMs: LOST_MS });
      if (await lease.acquire()) void lease.runHeld(() => run(lease.holder));
      return last();
    },
  };
}
