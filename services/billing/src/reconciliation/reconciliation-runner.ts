import { randomUUID } from "node:crypto";
import type { LedgerCheckRun } from "@turnpike/proto/billing/v1/ledger_service";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import type { Logger } from "@turnpike/shared/log/log";
import type { Findings } from "./findings.ts";
import { createFindings } from "./findings.ts";
import type { Collections } from "../store/collections.ts";
import type { LedgerCheckDoc } from "../store/documents.ts";

export type ReconciliationRunner = ReturnType<typeof createReconciliationRunner>;

const SEEN_EVERY_MS = 5_000;
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
  const begin = async (run: LedgerCheckDoc): Promise<boolean> => {
    const isFree = { $or: [{ "check.state": { $ne: "running" } }, { "check.seenAtMs": { $lt: nowMs() - LOST_MS } }] };
    try {
      await state.updateOne({ _id: "ledger_check", ...isFree }, { $set: { check: run } }, { upsert: true });
      return true;
    } catch (error) {
      // Another run is in progress: the upsert tried to create a second document with this id.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };
  const note = async (runId: string, change: Partial<LedgerCheckDoc>): Promise<void> => {
    const set = Object.fromEntries(Object.entries(change).map(([name, value]) => [`check.${name}`, value]));
    await state
      .updateOne({ _id: "ledger_check", "check.runId": runId }, { $set: set })
      .catch((error: unknown) => log.warn({ err: error }, "reconciliation result could not be stored"));
  };
  const run = async (runId: string): Promise<void> => {
    const findings = createFindings();
    const beat = setInterval(() => void note(runId, { seenAtMs: nowMs() }), SEEN_EVERY_MS);
    try {
      await check(findings);
      const isClean = findings.isClean();
      await note(runId, { state: "done", finishedAtMs: nowMs(), isClean, lines: findings.lines() });
      if (!isClean) log.error({ lines: findings.lines() }, "reconciliation found differences");
    } catch (error) {
      log.error({ err: error }, "reconciliation failed");
      await note(runId, { state: "failed", finishedAtMs: nowMs(), lines: findings.lines() });
    } finally {
      clearInterval(beat);
    }
  };
  return {
    last,
    /** Begins a run unless one is in progress; returns the one in progress. */
    async start(): Promise<LedgerCheckRun> {
      const runId = randomUUID();
      const at = { startedAtMs: nowMs(), seenAtMs: nowMs(), finishedAtMs: 0 };
      const isOurs = await begin({ runId, state: "running", ...at, isClean: false, lines: [] });
      if (isOurs) void run(runId);
      return last();
    },
  };
}
