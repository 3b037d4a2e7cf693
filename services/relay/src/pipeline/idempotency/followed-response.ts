import { setTimeout as delay } from "node:timers/promises";
import { RUN_AGAIN, unavailable, unknownFate, unstored } from "./idempotency-refusals.ts";
import type { StoredCallResponses, KeyId } from "./stored-call-responses.ts";
import type { IdempotencyTimes } from "./idempotency-times.ts";
import type { OwnerLiveness } from "./owner-liveness.ts";
import type { Recording } from "./recording.ts";

type Deps = {
  readonly responses: Pick<StoredCallResponses, "read" | "takeOver">;
  readonly owners: OwnerLiveness;
  readonly times: IdempotencyTimes;
};

/** How often the response is read. */
const STEP_MS = 100;
/** In how many steps it is checked once that the other relay is alive. */
const LIVENESS_STEPS = 10;

/**
 * Copies the response of a call that another relay runs, or ran, from Redis into a recording. Returns the error with which
 * the copy ends if it cannot be completed. Failed reads are repeated for a while.
 */
export async function copyResponse(deps: Deps, id: KeyId, recording: Recording): Promise<Error | undefined> {
  const copy = new FollowedResponse(deps, id, recording);
  let failingSinceMs: number | undefined;
  for (let step = 1; ; step++) {
    try {
      const end = await copy.read(step % LIVENESS_STEPS === 0);
      if (end) return end.error;
      failingSinceMs = undefined;
    } catch (error) {
      failingSinceMs ??= performance.now();
      if (performance.now() - failingSinceMs > deps.times.silentMs) return unavailable(error);
      // The other relay could not show that it runs the call either.
      copy.listen();
    }
    await delay(STEP_MS);
  }
}

type End = { readonly error: Error | undefined };

class FollowedResponse {
  readonly #deps: Deps;
  readonly #id: KeyId;
  readonly #recording: Recording;
  /** The pieces read. */
  #at = 0;
  #lastBeat: string | undefined;
  #beatAtMs = performance.now();

  constructor(deps: Deps, id: KeyId, recording: Recording) {
    this.#deps = deps;
    this.#id = id;
    this.#recording = recording;
  }

  /** Begins to wait anew for a sign of the other relay. */
  listen(): void {
    this.#beatAtMs = performance.now();
  }

  /** Reads what was added; returns how the copy ends, undefined while the call runs. */
  async read(isOwnerChecked: boolean): Promise<End | undefined> {
    const { responses, owners } = this.#deps;
    const { state, relayId, beat, head, pieces, ending } = await responses.read(this.#id, this.#at);
    if (state === undefined || relayId === "") return { error: RUN_AGAIN };
    if (state === "unstored") return { error: unstored() };
    if (head) this.#recording.begin(head);
    for (const piece of pieces) this.#recording.add(piece);
    this.#at += pieces.length;
    if (state === "done" && ending) {
      this.#recording.end(ending);
      return { error: undefined };
    }
    if (beat !== this.#lastBeat) this.listen();
    this.#lastBeat = beat;
    if (isOwnerChecked && (await owners.hasNoHeartbeat(relayId))) return { error: unknownFate() };
    return performance.now() - this.#beatAtMs > this.#deps.times.silentMs ? this.#leave(relayId) : undefined;
  }

  /**
   * The other relay is alive and does not run the call. The reply to its claim was lost, so that it never ran there: this
   * relay runs it, under the same request id, so that it is charged once in any case.
   */
  async #leave(relayId: string): Promise<End> {
    const isTaken = this.#at === 0 && (await this.#deps.responses.takeOver(this.#id, relayId));
    return { error: isTaken ? RUN_AGAIN : unknownFate() };
  }
}
