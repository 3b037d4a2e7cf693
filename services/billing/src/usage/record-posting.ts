import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import { isMongoUnavailable } from "@turnpike/shared/mongo/mongo";
import { getCharge } from "../logs/log-row.ts";
import { batchRecords, recoveredCalls, usageRecords } from "../store/metrics.ts";
import { countCharges } from "./charge-metrics.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { PreparedPosting, UsagePoster } from "./usage-posting.ts";

/** A record that alone cannot be posted, for an unknown reason, is dead-lettered after this many attempts. */
const ATTEMPTS_MAX = 10;
const SUSPECTS_MAX = 10_000;

/** MongoDB's codes for invalid data: retrying cannot help. */
const WRONG_DATA_CODES = new Set([2, 9, 14, 121, 10_334]);
const isDataError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name.startsWith("BSON") ||
    // Thrown by the driver for a document that is too large.
    error.name === "MongoInvalidArgumentError" ||
    ("code" in error && WRONG_DATA_CODES.has(Number(error.code))));

/** The outcome of a part of a batch: posted records, and ids of those to be redelivered. */
type Outcome = { readonly done: readonly UsageRecord[]; readonly retry: readonly string[] };

/**
 * Posts records. One that cannot be posted is found by bisection and dead-lettered; it never blocks others. Throws while MongoDB is
 * down.
 */
export function createRecordPosting(deps: { poster: UsagePoster; deadLetters: DeadLetters; log: Logger }) {
  const { log } = deps;
  /** How often a single record has failed. */
  const suspects = new Map<string, number>();

  const failAlone = async (record: UsageRecord, error: unknown): Promise<Outcome> => {
    const { requestId } = record;
    const attempts = (suspects.get(requestId) ?? 0) + 1;
    if (!isDataError(error) && attempts < ATTEMPTS_MAX) {
      if (suspects.size >= SUSPECTS_MAX) suspects.clear();
      suspects.set(requestId, attempts);
      log.error({ err: error, requestId, quota: getCharge(record) }, "usage record rejected, will be redelivered");
      return { done: [], retry: [requestId] };
    }
    await deps.deadLetters.add(JSON.stringify(record), error instanceof Error ? error.message : String(error));
    suspects.delete(requestId);
    return { done: [], retry: [] };
  };
  const postPart = async (
    records: readonly UsageRecord[],
    ready: Promise<PreparedPosting> = deps.poster.prepare(records),
  ): Promise<Outcome> => {
    try {
      const post = await ready;
      const fresh = await post();
      batchRecords.observe(records.length);
      usageRecords.inc({ outcome: "posted" }, fresh.length);
      countCharges(fresh);
      if (log.isLevelEnabled("debug"))
        for (const { requestId } of fresh) log.debug({ requestId }, "usage record posted");
      recoveredCalls.inc(fresh.filter(({ recovered }) => recovered === true).length);
      usageRecords.inc({ outcome: "duplicate" }, records.length - fresh.length);
      return { done: records, retry: [] };
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      const [only] = records;
      if (only && records.length === 1) return failAlone(only, error);
      const middle = Math.ceil(records.length / 2);
      const first = await postPart(records.slice(0, middle));
      const second = await postPart(records.slice(middle));
      return { done: [...first.done, ...second.done], retry: [...first.retry, ...second.retry] };
    }
  };
  return postPart;
}
