import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import type { WorkMessage } from "@turnpike/shared/events/work-consumer";
import type { Logger } from "@turnpike/shared/log/log";
import { withBatchSpan } from "@turnpike/shared/telemetry/batch-spans";
import type { BalanceCache, BalanceChange } from "../accounts/balance-cache.ts";
import { createKeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { postingSeconds } from "../store/metrics.ts";
import type { TokenStatusUpdater } from "../tokens/token-status.ts";
import { createRecordPosting } from "./record-posting.ts";
import type { UsagePoster } from "./usage-posting.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { DecodedUsage } from "./usage-decoder.ts";

/** One message of the stream, received and not acknowledged yet. */
export type UsageMessage = DecodedUsage &
  Pick<WorkMessage, "deliveries" | "ack" | "retryAfter" | "working"> & {
    /** Whether a service of this install published it. */
    readonly isSigned: boolean;
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

function toBalanceChanges(records: readonly UsageRecord[]): Map<number, BalanceChange> {
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

/**
 * Applies messages: posts their records, writes the balances to Redis, then acknowledges. While MongoDB or Redis is
 * down the messages return to the stream. A record that cannot be posted is found by bisection and dead-lettered; it
 * never blocks others.
 */
export function createUsageApplier(deps: Deps) {
  const { log } = deps;
  const runExclusive = createKeyedMutex();
  const postRecords = createRecordPosting(deps);

  /** Returns the ids of records to be redelivered. */
  const applyAll = async (messages: readonly UsageMessage[]): Promise<Set<string>> => {
    for (const { payload, reason } of messages.flatMap(({ unreadable }) => unreadable))
      await deps.deadLetters.add(payload, reason);
    const records = messages.flatMap((message) => message.records);
    const ready = deps.poster.prepare(records);
    // Errors of the preparation are reported when the batch is posted.
    ready.catch(() => undefined);
    // One at a time: two concurrent postings would only conflict in MongoDB.
    const { done, retry } = await runExclusive("posting", () => postRecords(records, ready));
    // Duplicates too: their entries may have survived a crash between commit and this step.
    await deps.balanceCache.post(toBalanceChanges(done));
    await deps.tokenStatus.settle([...new Set(done.map(({ tokenId }) => tokenId))].filter((id) => id > 0));
    return new Set(retry);
  };

  return async function applyMessages(messages: readonly UsageMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const stopTimer = postingSeconds.startTimer();
    try {
      const retry = await traced(messages, () => applyAll(messages));
      for (const message of messages) {
        if (message.records.some(({ requestId }) => retry.has(requestId)))
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
