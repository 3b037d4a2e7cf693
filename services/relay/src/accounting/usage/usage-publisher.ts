import { setTimeout as wait } from "node:timers/promises";
import { encodeTyped } from "@turnpike/shared/events/bus";
import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import type { Logger } from "@turnpike/shared/log/log";
import { publishFailures } from "../../core/telemetry/relay-metrics.ts";
import type { Spool } from "./spool.ts";

const BATCH_RECORDS_MAX = 200;
/** Short compared to the second or two in which a call must be in the log; Redis has the cost already. */
const BATCH_WAIT_MS = 50;
const REPLAY_PAUSE_MS = 500;
/** Maximum publishes in flight; further messages wait in memory, and are spooled when a publish fails. */
const PUBLISHES_AT_ONCE_MAX = 256;

type Deps = {
  /**
   * Resolves once JetStream acknowledged the message; rejects in bounded time. `id` deduplicates redelivered messages.
   */
  readonly publish: (payload: string, id: string) => Promise<void>;
  readonly spool: Spool;
  readonly source: string;
  readonly log: Logger;
};

/** Maximum number of records per message, in JetStream and in the spool. */
export function encodeUsage(records: readonly UsageRecord[], source: string): string[] {
  const starts = Array.from(
    { length: Math.ceil(records.length / BATCH_RECORDS_MAX) },
    (_, at) => at * BATCH_RECORDS_MAX,
  );
  return starts.map((start) =>
    encodeTyped(usageRecorded, source, { records: records.slice(start, start + BATCH_RECORDS_MAX) }, newRequestId()),
  );
}

export type UsagePublisher = ReturnType<typeof createUsagePublisher>;

/**
 * Publishes usage records to JetStream, several per message. A message that is not acknowledged is spooled to disk and
 * sent again, in order, when NATS recovers; while the spool is not empty, new messages are appended to it.
 */
export function createUsagePublisher(deps: Deps) {
  let batch: UsageRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let replaying: Promise<void> | undefined;
  let stopped = false;
  const underWay = new Set<Promise<void>>();

  const spoolLine = (line: string): void => {
    deps.spool.append(line);
    replaying ??= replay().finally(() => (replaying = undefined));
  };
  const replay = async (): Promise<void> => {
    while (!deps.spool.isEmpty() && !stopped) {
      try {
        await deps.spool.drain((line) => deps.publish(line, (JSON.parse(line) as { id: string }).id));
        deps.log.info("spooled usage sent");
      } catch {
        await new Promise((resolve) => setTimeout(resolve, REPLAY_PAUSE_MS));
      }
    }
  };
  const send = (records: UsageRecord[]): void => {
    const id = newRequestId();
    const line = encodeTyped(usageRecorded, deps.source, { records }, id);
    if (!deps.spool.isEmpty() || underWay.size >= PUBLISHES_AT_ONCE_MAX) return spoolLine(line);
    const attempt = deps.publish(line, id).catch((error: unknown) => {
      publishFailures.value++;
      deps.log.warn({ err: error, records: records.length }, "usage publish failed, spooled to disk");
      spoolLine(line);
    });
    underWay.add(attempt);
    void attempt.finally(() => underWay.delete(attempt));
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (batch.length === 0) return;
    const records = batch;
    batch = [];
    send(records);
  };
  if (!deps.spool.isEmpty()) replaying = replay().finally(() => (replaying = undefined));

  return {
    /** Accepts a record without waiting. */
    add(record: UsageRecord): void {
      batch.push(record);
      if (batch.length >= BATCH_RECORDS_MAX) flush();
      else timer ??= setTimeout(flush, BATCH_WAIT_MS);
    },
    /** False when the spool has reached its limit: calls must be refused rather than served without a usage record. */
    hasRoom: (): boolean => !deps.spool.isFull(),
    spooledBytes: (): number => deps.spool.bytes(),
    /** Sends the remaining records within a time limit; records that cannot be sent stay on disk for the next start. */
    async stop(waitMs = 0): Promise<void> {
      flush();
      await Promise.all(underWay);
      await Promise.race([replaying, wait(waitMs)]);
      stopped = true;
      await replaying;
      deps.spool.close();
    },
  };
}
