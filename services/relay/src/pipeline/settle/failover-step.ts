import type { Choice } from "../../core/call/channel.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import type { AttemptOutcomes } from "./attempt-outcome.ts";
import type { FailureLog } from "./failure-log.ts";

type Deps = { readonly observer: AttemptOutcomes; readonly failures: FailureLog };
/** An attempt that failed, and the account that failed it. */
export type FailedAttempt = { readonly choice: Choice; readonly error: RelayError };

/**
 * The step between two attempts of a call or of a Realtime session: records the failed one and returns the account of the next. Throws
 * the error if there is none. Tasks have their own: whether the next account may be tried depends on whether upstream can have accepted
 * the task, not on the error alone.
 */
export async function failOver(
  { observer, failures }: Deps,
  call: RelayCall,
  { choice, error }: FailedAttempt,
  findNext: () => Choice | undefined | Promise<Choice | undefined>,
): Promise<Choice> {
  observer.failed(call, choice, error);
  const attempted = { ...call, tried: [...call.tried] };
  const next = await findNext();
  failures.attempt(attempted, error, next !== undefined || call.route?.isRetried(error) === true);
  if (next) return next;
  throw error;
}
