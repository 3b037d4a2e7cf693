import { setTimeout as wait } from "node:timers/promises";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { BATCH_RECORDS_MAX, createUsageEncoder } from "./usage-messages.ts";
import { createUsageSender, type UsageSenderDeps } from "./usage-sender.ts";

/** Short compared to the second or two in which a call must be in the log; Redis has the cost already. */
const BATCH_WAIT_MS = 50;

export type UsagePublisher = ReturnType<typeof createUsagePublisher>;

/**
 * Publishes usage records to JetStream, several per message. A message that is not acknowledged is spooled to disk and
 * sent again, in order, when NATS recovers; while the spool is not empty, new messages are appended to it. A message that
 * neither NATS nor the disk takes is kept in memory, and calls are refused until one of them has taken it. A message that
 * can never be sent is dead-lettered and blocks no other.
 */
export function createUsagePublisher(deps: UsageSenderDeps) {
  let batch: UsageRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  const encode = createUsageEncoder(deps.source, deps.payloadBytesMax);
  const sender = createUsageSender(deps, stopping.signal);

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (batch.length === 0) return;
    const records = batch;
    batch = [];
    for (const message of encode(records)) sender.send(message);
  };
  return {
    /** Accepts a record without waiting. */
    add(record: UsageRecord): void {
      batch.push(record);
      if (batch.length >= BATCH_RECORDS_MAX) flush();
      else timer ??= setTimeout(flush, BATCH_WAIT_MS);
    },
    /**
     * False when the spool has reached its limit, or while neither NATS nor the disk takes a message: calls must be refused
     * rather than served without a usage record.
     */
    hasRoom: (): boolean => sender.isStoring() && !deps.spool.isFull(),
    spooledBytes: (): number => deps.spool.bytes(),
    /** Sends what the spool holds, after it has taken over lines of a dead relay. */
    sendSpooled: sender.replay,
    /** Sends the remaining records within a time limit; records that cannot be sent stay on disk for the next start. */
    async stop(waitMs = 0): Promise<void> {
      flush();
      await sender.published();
      await Promise.race([sender.replayed(), wait(waitMs)]);
      stopping.abort();
      await sender.replayed();
      deps.spool.close();
    },
  };
}
