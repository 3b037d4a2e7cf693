import { ActiveList, type ActivePlace } from "@turnpike/shared/concurrency/active-list";
import { RelayError } from "../../core/errors/relay-error.ts";

/** An attempt that can be ended early. */
export type RunningAttempt = { readonly stop: (error: RelayError) => void };

/** The error of a call whose relay ends before the call does. */
class RelayStopping extends RelayError {
  constructor() {
    super("service_unavailable", "the server restarts; send the request again", { retryAfterSeconds: 1 });
  }
}
export const isRelayStopping = (error: unknown): boolean => error instanceof RelayStopping;

/** The attempts of this relay that are under way. */
export class RunningAttempts {
  readonly #attempts = new ActiveList<RunningAttempt>();
  #isStopping = false;

  add(attempt: RunningAttempt): ActivePlace<RunningAttempt> {
    const place = this.#attempts.add(attempt);
    if (this.#isStopping) attempt.stop(new RelayStopping());
    return place;
  }

  remove(place: ActivePlace<RunningAttempt>): void {
    this.#attempts.remove(place);
  }

  /**
   * Ends all of them, and those that begin later: a stream ends with an error event of the caller's dialect and is charged
   * for what was sent; a response that has not begun becomes an error.
   */
  stop(): void {
    this.#isStopping = true;
    for (const attempt of this.#attempts.list()) attempt.stop(new RelayStopping());
  }
}
