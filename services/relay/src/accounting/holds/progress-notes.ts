import { openKey } from "@turnpike/shared/accounts/account-keys";
import { NOTE_PROGRESS } from "@turnpike/shared/accounts/call-scripts";
import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript, type Script } from "@turnpike/shared/redis/script";

/** Notes of this time are sent together, one script per user. */
const WAIT_MS = 100;

/** The data with which billing posts a call as it stands now; serialized when it is sent, which only the last one is. */
type ToJson = () => string;

/**
 * Writes to Redis how far running streams are, so that a stream of a relay that is killed is charged for what it sent. A
 * note that is lost is replaced by the next one.
 */
export class ProgressNotes {
  readonly #run: Script;
  #waiting = new Map<number, Map<string, ToJson>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(redis: Redis) {
    this.#run = defineScript(redis, NOTE_PROGRESS);
  }

  add(userId: number, requestId: string, toJson: ToJson): void {
    const calls = this.#waiting.get(userId) ?? new Map<string, ToJson>();
    this.#waiting.set(userId, calls.set(requestId, toJson));
    if (this.#timer === undefined) this.#timer = setTimeout(this.#flush, WAIT_MS);
  }

  /** The call has ended: its settlement replaces the progress. */
  remove(userId: number, requestId: string): void {
    this.#waiting.get(userId)?.delete(requestId);
  }

  readonly #flush = (): void => {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#timer = undefined;
    for (const [userId, calls] of waiting) {
      if (calls.size === 0) continue;
      const args = [...calls].flatMap(([requestId, toJson]) => [requestId, toJson()]);
      this.#run(1, openKey(userId), ...args).catch(() => undefined);
    }
  };
}
