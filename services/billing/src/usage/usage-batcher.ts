import type { UsageApplier, UsageMessage } from "./usage-applier.ts";

/**
 * Under load users, models and channels recur within a batch: the larger the batch, the lower MongoDB's cost per
 * record.
 */
const RECORDS_MAX = 6_000;
/** This many messages complete a batch, too: the stream delivers at most twice as many unacknowledged ones. */
const MESSAGES_MAX = 150;
/**
 * How long the first message of a batch waits for others, by the minimum size of the previous batch: each batch has a
 * fixed cost, and the same users and models recur in a larger one. A row may take two seconds to appear in the log.
 */
const GATHERING = [
  { records: 1_000, waitMs: 800 },
  { records: 20, waitMs: 400 },
  { records: 0, waitMs: 100 },
] as const;
const gatherMsAfter = (records: number): number => GATHERING.find((step) => records >= step.records)?.waitMs ?? 0;
/** One batch is posted while the previous one is written to Redis. */
const BATCHES_AT_ONCE_MAX = 2;
/** How often held messages are reported as in progress: well within the stream's acknowledgement timeout. */
const WORKING_MS = 3_000;

export type UsageBatcher = ReturnType<typeof createUsageBatcher>;

/** Collects messages into batches of up to six thousand records or some tenths of a second, and has them applied. */
export function createUsageBatcher(apply: UsageApplier) {
  let waiting: UsageMessage[] = [];
  let records = 0;
  let timer: NodeJS.Timeout | undefined;
  let gatherMs = gatherMsAfter(0);
  /** True once the batch has waited long enough or is full. */
  let isDue = false;
  const running = new Set<Promise<void>>();
  const held = new Set<UsageMessage>();

  const extendTimer = setInterval(() => {
    for (const message of held) message.working();
  }, WORKING_MS);
  extendTimer.unref();

  const applyBatch = async (batch: readonly UsageMessage[]): Promise<void> => {
    await apply(batch);
    for (const message of batch) held.delete(message);
  };
  const startDue = (): void => {
    if (!isDue || waiting.length === 0 || running.size >= BATCHES_AT_ONCE_MAX) return;
    const batch = applyBatch(waiting).finally(() => {
      running.delete(batch);
      startDue();
    });
    running.add(batch);
    gatherMs = gatherMsAfter(records);
    waiting = [];
    records = 0;
    isDue = false;
  };
  const start = (): void => {
    clearTimeout(timer);
    timer = undefined;
    isDue = true;
    startDue();
  };
  return {
    /** Accepts a message; the promise resolves when there is room for more. */
    async add(message: UsageMessage): Promise<void> {
      held.add(message);
      waiting.push(message);
      records += Math.max(1, message.records.length);
      if (records >= RECORDS_MAX) {
        start();
        // Bounds memory: accepts no more until a batch in progress is done.
        while (records >= RECORDS_MAX) await Promise.race(running);
      } else if (waiting.length >= MESSAGES_MAX) start();
      else if (!isDue) timer ??= setTimeout(start, gatherMs);
    },
    /** Applies the collected messages and waits for completion. */
    async finish(): Promise<void> {
      start();
      while (running.size > 0) await Promise.all(running);
      clearInterval(extendTimer);
    },
  };
}
