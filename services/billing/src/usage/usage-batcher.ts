import type { UsageApplier, UsageMessage } from "./usage-applier.ts";

/** Under load people, models and channels come again within a batch: the larger it is, the less a record costs MongoDB. */
const RECORDS_MAX = 6_000;
/** So many messages are enough, too: the stream hands out twice as many before it waits for their end. */
const MESSAGES_MAX = 150;
/**
 * How long the first message of a batch waits for others, by how many records the batch before had at least: each batch has a price
 * of its own, and the same people and models come again in a larger one. A row may take two seconds to be in the log.
 */
const GATHERING = [
  { records: 1_000, waitMs: 800 },
  { records: 20, waitMs: 400 },
  { records: 0, waitMs: 100 },
] as const;
const gatherMsAfter = (records: number): number => GATHERING.find((step) => records >= step.records)?.waitMs ?? 0;
/** One batch is being booked while Redis hears of the one before. */
const BATCHES_AT_ONCE_MAX = 2;
/** How often held messages are said to be worked on: well within the stream's acknowledgement time. */
const WORKING_MS = 3_000;

export type UsageBatcher = ReturnType<typeof createUsageBatcher>;

/** Gathers messages into batches of up to six thousand records or some tenths of a second, and has them applied. */
export function createUsageBatcher(apply: UsageApplier) {
  let waiting: UsageMessage[] = [];
  let records = 0;
  let timer: NodeJS.Timeout | undefined;
  let gatherMs = gatherMsAfter(0);
  /** True once what waits has waited long enough, or is enough. */
  let isDue = false;
  const running = new Set<Promise<void>>();
  const held = new Set<UsageMessage>();

  const keepHeld = setInterval(() => {
    for (const message of held) message.working();
  }, WORKING_MS);
  keepHeld.unref();

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
    /** Takes a message; the promise settles when there is room for more. */
    async add(message: UsageMessage): Promise<void> {
      held.add(message);
      waiting.push(message);
      records += Math.max(1, message.records.length);
      if (records >= RECORDS_MAX) {
        start();
        // Memory stays bounded: no more is taken until a batch under way is done.
        while (records >= RECORDS_MAX) await Promise.race(running);
      } else if (waiting.length >= MESSAGES_MAX) start();
      else if (!isDue) timer ??= setTimeout(start, gatherMs);
    },
    /** Applies what is here and waits for it. */
    async finish(): Promise<void> {
      start();
      while (running.size > 0) await Promise.all(running);
      clearInterval(keepHeld);
    },
  };
}
