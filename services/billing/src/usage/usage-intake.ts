import type { UsageApplier, UsageMessage } from "./usage-applier.ts";

const RECORDS_MAX = 1_000;
/** How long the first message of a batch waits for others. */
const GATHER_MS = 100;
/** How often held messages are said to be worked on: well within the stream's acknowledgement time. */
const WORKING_MS = 3_000;

export type UsageIntake = ReturnType<typeof createUsageIntake>;

/** Gathers messages into batches of about a thousand records or a tenth of a second, and applies one batch at a time. */
export function createUsageIntake(apply: UsageApplier) {
  let waiting: UsageMessage[] = [];
  let records = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const held = new Set<UsageMessage>();

  const keepHeld = setInterval(() => {
    for (const message of held) message.working();
  }, WORKING_MS);
  keepHeld.unref();

  const runBatch = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      records = 0;
      await apply(batch);
      for (const message of batch) held.delete(message);
    }
    running = undefined;
  };
  const start = (): void => {
    clearTimeout(timer);
    timer = undefined;
    running ??= runBatch();
  };
  return {
    /** Takes a message; the promise settles when there is room for more. */
    async add(message: UsageMessage): Promise<void> {
      held.add(message);
      waiting.push(message);
      records += Math.max(1, message.records.length);
      if (records >= RECORDS_MAX) {
        start();
        // The batch under way first: memory stays bounded by two batches.
        if (records >= RECORDS_MAX) await running;
        return;
      }
      if (!running) timer ??= setTimeout(start, GATHER_MS);
    },
    /** Applies what is here and waits for it. */
    async finish(): Promise<void> {
      start();
      await running;
      clearInterval(keepHeld);
    },
  };
}
