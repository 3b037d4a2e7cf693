import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import type { Logger } from "@turnpike/shared/log/log";
import { withBatchSpan } from "@turnpike/shared/telemetry/batch-spans";
import type { BalanceCache, BalanceChange } from "../accounts/balance-cache.ts";
import { isMongoUnavailable } from "@turnpike/shared/mongo/mongo";
import { createKeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { batchRecords, postingSeconds, recoveredCalls, usageRecords } from "../store/metrics.ts";
import type { TokenStatusUpdater } from "../tokens/token-status.ts";
import type { PreparedPosting, UsagePoster } from "./usage-posting.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { DecodedUsage } from "./usage-decoder.ts";
import { getCost } from "../logs/log-row.ts";

/** One message of the stream, received and not acknowledged yet. */
export type UsageMessage = DecodedUsage & {
  /** The delivery count, including this delivery. */
  readonly deliveries: number;
  readonly ack: () => void;
  /** Returns it to the stream for redelivery. */
  readonly retryAfter: (delayMs: number) => void;
  /** Signals that processing continues. */
  readonly working: () => void;
};

type Deps = {
  readonly poster: UsagePoster;
  readonly balanceCache: Pick<BalanceCache, "post">;
  readonly tokenStatus: TokenStatusUpdater;
  readonly deadLetters: DeadLetters;
  readonly log: Logger;
};

export type UsageApplier = ReturnType<typeof createUsageApplier>;

const RETRY_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** A record that alone cannot be posted, for an unknown reason, is dead-lettered after this many attempts. */
const TRIES_MAX = 10;
const SUSPECTS_MAX = 10_000;

/** MongoDB's codes for invalid data: retrying cannot help. */
const WRONG_DATA_CODES = new Set([2, 9, 14, 121, 10_334]);
const isDataError = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name.startsWith("BSON") ||
    // Thrown by the driver for a document that is too large.
    error.name === "MongoInvalidArgumentError" ||
    ("code" in error && WRONG_DATA_CODES.has(Number(error.code))));

function changesOf(records: readonly UsageRecord[]): Map<number, BalanceChange> {
  const changes = new Map<number, { tokenIds: Set<number>; requestIds: string[] }>();
  for (const { userId, tokenId, requestId } of records) {
    const change = changes.get(userId) ?? { tokenIds: new Set(), requestIds: [] };
    changes.set(userId, change);
    if (tokenId > 0) change.tokenIds.add(tokenId);
    change.requestIds.push(requestId);
  }
  return changes;
}

/** Posts a batch within the traces of its records. */
function traced<Result>(messages: readonly UsageMessage[], run: () => Promise<Result>): Promise<Result> {
  const attributes = {
    "messaging.system": "nats",
    "messaging.operation.type": "process",
    "messaging.operation.name": "process",
    "messaging.destination.name": usageRecorded.subject,
    "messaging.batch.message_count": messages.length,
  };
  const parts = (): UsageRecord[] => messages.flatMap(({ records }) => records);
  return withBatchSpan({ name: `process ${usageRecorded.subject}`, attributes, parts }, run);
}

/** The outcome of a part of a batch: posted records, and ids of those to be redelivered. */
type Outcome = { readonly done: readonly UsageRecord[]; readonly again: readonly string[] };

/**
 * Applies messages: posts their records, writes the balances to Redis, then acknowledges. While MongoDB or Redis is
 * down the messages return to the stream. A record that cannot be posted is found by bisection and dead-lettered; it
 * never blocks others.
 */
export function createUsageApplier(deps: Deps) {
  const { log } = deps;
  /** How often a single record has failed. */
  const suspects = new Map<string, number>();
  const runExclusive = createKeyedMutex();

  const failAlone = async (record: UsageRecord, error: unknown): Promise<Outcome> => {
    const { requestId } = record;
    const tries = (suspects.get(requestId) ?? 0) + 1;
    if (!isDataError(error) && tries < TRIES_MAX) {
      if (suspects.size >= SUSPECTS_MAX) suspects.clear();
      suspects.set(requestId, tries);
      log.error({ err: error, requestId, quota: getCost(record) }, "usage record rejected, will be redelivered");
      return { done: [], again: [requestId] };
    }
    await deps.deadLetters.keep(JSON.stringify(record), error instanceof Error ? error.message : String(error));
    suspects.delete(requestId);
    return { done: [], again: [] };
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
      if (log.isLevelEnabled("debug"))
        for (const { requestId } of fresh) log.debug({ requestId }, "usage record posted");
      recoveredCalls.inc(fresh.filter(({ recovered }) => recovered === true).length);
      usageRecords.inc({ outcome: "duplicate" }, records.length - fresh.length);
      return { done: records, again: [] };
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      const [only, second] = records;
      if (only && !second) return failAlone(only, error);
      const middle = Math.ceil(records.length / 2);
      const first = await postPart(records.slice(0, middle));
      const rest = await postPart(records.slice(middle));
      return { done: [...first.done, ...rest.done], again: [...first.again, ...rest.again] };
    }
  };
  /** Returns the ids of records to be redelivered. */
  const applyAll = async (messages: readonly UsageMessage[]): Promise<Set<string>> => {
    for (const { payload, reason } of messages.flatMap(({ unreadable }) => unreadable))
      await deps.deadLetters.keep(payload, reason);
    const records = messages.flatMap((message) => message.records);
    const ready = deps.poster.prepare(records);
    // Errors of the preparation are reported when the batch is posted.
    ready.catch(() => undefined);
    // One at a time: two concurrent postings would only conflict in MongoDB.
    const { done, again } = await runExclusive("posting", () => postPart(records, ready));
    // Duplicates too: their entries may have survived a crash between commit and this step.
    await deps.balanceCache.post(changesOf(done));
    await deps.tokenStatus.settle([...new Set(done.map(({ tokenId }) => tokenId))].filter((id) => id > 0));
    return new Set(again);
  };

  return async function applyMessages(messages: readonly UsageMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const stopTimer = postingSeconds.startTimer();
    try {
      const again = await traced(messages, () => applyAll(messages));
      for (const message of messages) {
        if (message.records.some(({ requestId }) => again.has(requestId)))
          message.retryAfter(Math.min(RETRY_MAX_MS, RETRY_MS * message.deliveries));
        else message.ack();
      }
    } catch (error) {
      log.warn({ err: error, messages: messages.length }, "usage batch could not be posted, will be redelivered");
      for (const message of messages) message.retryAfter(RETRY_MS);
    } finally {
      stopTimer();
    }
  };
}
