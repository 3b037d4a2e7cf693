import { retry } from "@turnpike/shared/concurrency/retry";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { inTransaction, isDuplicateKey, allocateIds } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { Collections } from "../store/collections.ts";
import { type PostingPlan, planPosting, type PlanFacts, writePlan } from "./posting-plan.ts";
import { createPostedRecords } from "./posted-records.ts";
import { isReplaceable, isSuperior, reverseReplaced } from "./usage-corrections.ts";

/** Another replica may post the same record concurrently; the second one retries. */
const ATTEMPTS_MAX = 5;
const BACKOFF = { firstMs: 2, maxMs: 20 };

type Deps = {
  readonly connection: Connection;
  readonly collections: Collections;
  /** False: consumption is summed but not logged. */
  readonly isLogged: () => boolean;
  readonly nowMs: () => number;
};

/** Posts prepared records and returns those that were new. */
export type PreparedPosting = () => Promise<readonly UsageRecord[]>;
export type UsagePoster = ReturnType<typeof createUsagePoster>;

/** Deduplicates by id, keeping the record that knows most, or the first. */
function withoutRepeats(records: readonly UsageRecord[]): UsageRecord[] {
  const byId = new Map<string, UsageRecord>();
  for (const record of records) {
    const known = byId.get(record.requestId);
    if (known === undefined || isSuperior(record, known)) byId.set(record.requestId, record);
  }
  return [...byId.values()];
}

const isReleased = ({ released }: UsageRecord): boolean => released === true;

/** Posts records: log rows and all sums in one transaction. */
export function createUsagePoster({ connection, collections, isLogged, nowMs }: Deps) {
  const posted = createPostedRecords({ collections, nowMs });

  /** Posts the new records; `ready` is the plan of all of them, valid while none is known to have a row yet. */
  const postWithin = async (
    records: readonly UsageRecord[],
    { facts, ready }: { readonly facts: PlanFacts; readonly ready: PostingPlan | undefined },
    session: ClientSession,
  ): Promise<readonly UsageRecord[]> => {
    const ids = records.map(({ requestId }) => requestId);
    // A record without a row is not covered by a unique index.
    const isLogSought = ready === undefined || !facts.isConsumeLogged || records.some(isReleased);
    const known = await posted.find(ids, session, isLogSought);
    const replaced = records.flatMap((record) => {
      const former = known.replaceable.get(record.requestId);
      return former && isSuperior(record, former) ? [former] : [];
    });
    await reverseReplaced(collections, replaced, session);
    for (const { requestId } of replaced) known.ids.delete(requestId);
    const fresh = records.filter(({ requestId }) => !known.ids.has(requestId));
    if (fresh.length === 0) return [];
    const plan = ready && fresh.length === records.length ? ready : planPosting(fresh, facts);
    await writePlan(collections, plan, session);
    const remembered = new Set([...plan.unlogged, ...fresh.filter(isReplaceable)]);
    await posted.remember([...remembered], session);
    if (plan.unlogged.some((record) => !isReleased(record))) await posted.markUnlogged(session);
    return fresh;
  };

  /**
   * Prepares records for posting, which may run while others are being posted; the returned function posts them.
   * Records posted before change nothing. Returns the new ones; throws MongoDB's error, with nothing posted.
   */
  const prepare = async (records: readonly UsageRecord[]): Promise<PreparedPosting> => {
    const unique = withoutRepeats(records);
    if (unique.length === 0) return async () => [];
    const isConsumeLogged = isLogged();
    const newFacts = async (): Promise<PlanFacts> => {
      const firstId = await allocateIds(connection, "logs", unique.length);
      return { isConsumeLogged, firstId, nowSeconds: Math.floor(nowMs() / 1000) };
    };
    let facts = await newFacts();
    let ready: PostingPlan | undefined = planPosting(unique, facts);
    return async () => {
      const post = () => inTransaction(connection, (session) => postWithin(unique, { facts, ready }, session));
      // Duplicates are rare and the log's unique index detects them: they are looked up only after it has.
      const onRetry = async (): Promise<void> => {
        ready = undefined;
        facts = await newFacts();
      };
      return retry(post, { backoff: BACKOFF, attemptsMax: ATTEMPTS_MAX, isRetryable: isDuplicateKey, onRetry });
    };
  };

  return {
    prepare,
    /** Prepares and posts records. */
    post: async (records: readonly UsageRecord[]): Promise<readonly UsageRecord[]> => (await prepare(records))(),
  };
}
