import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "@turnpike/shared/log/log";

const RETRY_MS = 500;

type Deps = {
  /** Rejects if the stream is down. */
  readonly sendLine: (line: string) => Promise<void>;
  /** False if the disk does not take the line. */
  readonly spool: (line: string) => boolean;
  readonly signal: AbortSignal;
  readonly log: Logger;
};

/**
 * Usage messages that neither NATS nor the disk takes. They stay in memory until one of them does; their number is bounded by the
 * calls that ran when both failed, since no further call is admitted. If this process ends first, the costs of these calls are in
 * Redis, where the janitor posts them.
 */
export function createUnstoredMessages({ sendLine, spool, signal, log }: Deps) {
  const lines: string[] = [];
  let storing: Promise<void> | undefined;

  const isStored = async (line: string): Promise<boolean> =>
    spool(line) ||
    sendLine(line).then(
      () => true,
      () => false,
    );
  const storeAll = async (): Promise<void> => {
    while (lines[0] !== undefined) {
      if (await isStored(lines[0])) lines.shift();
      else if (signal.aborted) return;
      else await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
    log.info("usage storage recovered, calls accepted");
  };
  return {
    add(line: string): void {
      if (lines.length === 0) log.error("usage cannot be stored in NATS or on disk, calls refused");
      lines.push(line);
      storing ??= storeAll().finally(() => (storing = undefined));
    },
    isEmpty: (): boolean => lines.length === 0,
    /** Resolves once all are stored, or shortly after the signal. */
    ended: async (): Promise<void> => storing,
  };
}
