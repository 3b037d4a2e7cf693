import type { UsageRecord } from "@turnpike/shared/events/relay";
import { inTransaction, isDuplicateKey, allocateIds } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import { type Collections, POSTED_RECORD_TTL_MS } from "../store/collections.ts";
import type { StateDoc } from "../store/documents.ts";
import { type PostingPlan, planPosting, type PlanFacts, writePlan } from "./posting-plan.ts";

const FIND_TIMEOUT_MS = 10_000;
/** Another replica may post the same record concurrently; the second one retries. */
const ATTEMPTS_MAX = 5;

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

/** Deduplicates by id, keeping the first. */
function withoutRepeats(records: readonly UsageRecord[]): UsageRecord[] {
  const byId = new Map<string, UsageRecord>();
  for (const record of records) if (!byId.has(record.requestId)) byId.set(record.requestId, record);
  return [...byId.values()];
}

/** Posts records: log rows and all sums in one transaction. */
export function createUsagePoster({ connection, collections, isLogged, nowMs }: Deps) {
  const { logs, postedRecords, state } = collections;

  /** Posted ids, with a log row or, as far as `isLogSought` is false, without. */
  const findKnown = async (
    ids: readonly string[],
    session: ClientSession,
    isLogSought: boolean,
  ): Promise<Set<string>> => {
    const options = { session, maxTimeMS: FIND_TIMEOUT_MS };
    const unlogged = await postedRecords
      .find({ _id: { $in: [...ids] } }, { ...options, projection: { _id: 1 } })
      .toArray();
    const rows = isLogSought
      ? await logs
          .find({ requestId: { $in: [...ids] } }, { ...options, projection: { _id: 0, requestId: 1 } })
          .toArray()
      : [];
    return new Set([...rows.map(({ requestId }) => requestId ?? ""), ...unlogged.map(({ _id }) => _id)]);
  };
  const rememberUnlogged = async (records: readonly UsageRecord[], session: ClientSession): Promise<void> => {
    const expiresAt = new Date(nowMs() + POSTED_RECORD_TTL_MS);
    await postedRecords.insertMany(
      records.map(({ requestId }) => ({ _id: requestId, expiresAt })),
      { session },
    );
    const id: StateDoc["_id"] = "logs";
    const known = await state.findOne({ _id: id, hasUnlogged: true }, { session, maxTimeMS: FIND_TIMEOUT_MS });
    if (!known) await state.updateOne({ _id: id }, { $set: { hasUnlogged: true } }, { session, upsert: true });
  };
  /** Posts the new records; `ready` is the plan of all of them, valid while none is known to have a row yet. */
  const postWithin = async (
    records: readonly UsageRecord[],
    { facts, ready }: { readonly facts: PlanFacts; readonly ready: PostingPlan | undefined },
    session: ClientSession,
  ): Promise<readonly UsageRecord[]> => {
    const ids = records.map(({ requestId }) => requestId);
    // A record without a row is not covered by a unique index.
    const known = await findKnown(ids, session, ready === undefined || !facts.isConsumeLogged);
    const fresh = records.filter(({ requestId }) => !known.has(requestId));
    if (fresh.length === 0) return [];
    const plan = ready && known.size === 0 ? ready : planPosting(fresh, facts);
    await writePlan(collections, plan, session);
    if (plan.unlogged.length > 0) await rememberUnlogged(plan.unlogged, session);
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
    const factsOf = async (): Promise<PlanFacts> => {
      const firstId = await allocateIds(connection, "logs", unique.length);
      return { isConsumeLogged, firstId, nowSeconds: Math.floor(nowMs() / 1000) };
    };
    let facts = await factsOf();
    let ready: PostingPlan | undefined = planPosting(unique, facts);
    return async () => {
      for (let attempt = 1; ; attempt++) {
        const about = { facts, ready };
        try {
          return await inTransaction(connection, (session) => postWithin(unique, about, session));
        } catch (error) {
          if (!isDuplicateKey(error) || attempt === ATTEMPTS_MAX) throw error;
          // Duplicates are rare and the log's unique index detects them: they are looked up only after it has.
          ready = undefined;
          facts = await factsOf();
        }
      }
    };
  };

  return {
    prepare,
    /** Prepares and posts records. */
    post: async (records: readonly UsageRecord[]): Promise<readonly UsageRecord[]> => (await prepare(records))(),
  };
}
