import type { Logger } from "@turnpike/shared/log/log";
import { BACKGROUND_HEADER, CHARGE_HEADER } from "../../core/call/charge-headers.ts";
import type { Addition, StoredCallResponses, KeyId } from "./stored-call-responses.ts";
import type { IdempotencyTimes } from "./idempotency-times.ts";
import type { Recording } from "./recording.ts";

/** A call with an idempotency key that this relay runs. */
export type Run = { readonly id: KeyId; readonly recording: Recording; readonly wasTakenOver: boolean };

type Deps = {
  readonly responses: Pick<StoredCallResponses, "append" | "release" | "drop">;
  readonly times: IdempotencyTimes;
  readonly log: Logger;
};

const wasCharged = ({ head, written }: Recording): boolean =>
  head?.headers[CHARGE_HEADER] !== undefined ||
  head?.headers[BACKGROUND_HEADER] !== undefined ||
  written?.trailers[CHARGE_HEADER] !== undefined;

/**
 * Stores the response of a running call in Redis, piece by piece. While Redis does not respond, what is not stored yet waits:
 * the clients of the call read its recording, which does not depend on the copy.
 */
export class StoredCopy {
  readonly #deps: Deps;
  readonly #run: Run;
  /** The pieces of the recording that are stored, or in the addition that waits. */
  #taken = 0;
  #storedPieces = 0;
  /** Not acknowledged. Redis may have it, so it is repeated as it was. */
  #waiting: Addition | undefined;
  #isStored = true;
  #isFailing = false;
  #storedAtMs = performance.now();

  constructor(deps: Deps, run: Run) {
    this.#deps = deps;
    this.#run = run;
  }

  /** Whether the call is charged: its record stays, and its repeats do not run. */
  isDue(): boolean {
    return wasCharged(this.#run.recording);
  }

  /** Stores what was produced since. Never rejects: what Redis did not take is stored with the next step. */
  async append(): Promise<void> {
    const { pieces, requestId } = this.#run.recording;
    const isBeatDue = performance.now() - this.#storedAtMs >= this.#deps.times.beatMs;
    if (!this.#waiting && pieces.length === this.#taken && !isBeatDue) return;
    try {
      await this.#store(false);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#deps.log.warn({ err: error, requestId }, "response of an idempotency key not stored, will be retried");
      this.#isFailing = true;
    }
  }

  /** Stores the end of a charged call, or frees the key of one that failed without a charge. Rejects while Redis is down. */
  async end(): Promise<void> {
    const { id } = this.#run;
    if (!this.isDue()) return this.#deps.responses.release(id, this.#run);
    if (this.#waiting?.ending === undefined) await this.#store(false);
    await this.#store(true);
  }

  /** Marks the response as one that is not stored. */
  drop(): Promise<void> {
    return this.#deps.responses.drop(this.#run.id);
  }

  async #store(isEnd: boolean): Promise<void> {
    if (!this.#isStored) return;
    const { recording, id } = this.#run;
    const { head, pieces, written } = recording;
    if (!this.#waiting) {
      const isFirst = this.#taken === 0 && head !== undefined && (pieces.length > 0 || isEnd);
      const piece = Buffer.concat(pieces.slice(this.#taken));
      const ending = isEnd && written ? { ending: written } : {};
      this.#waiting = { ...(isFirst ? { head } : {}), piece, before: this.#storedPieces, ...ending };
      this.#taken = pieces.length;
    }
    const added = this.#waiting;
    this.#isStored = await this.#deps.responses.append(id, added);
    this.#waiting = undefined;
    this.#storedAtMs = performance.now();
    if (added.piece.length > 0) this.#storedPieces++;
  }
}
