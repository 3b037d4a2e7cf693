import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { CallerRefusal } from "../../admission/caller-refusal.ts";
import type { PostedCall } from "../../accounting/usage/log-row-fields.ts";
import type { UsagePublisher } from "../../accounting/usage/usage-publisher.ts";
import { attemptRecord, refusalRecord } from "../../accounting/usage/error-record.ts";
import { type Admitted, type Caller, getGroup } from "../../core/call/caller.ts";
import type { PathValues } from "../../core/call/dialect.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { hideUpstreamError } from "./hidden-errors.ts";

type Deps = {
  readonly options: () => OptionsInForce;
  readonly publisher: Pick<UsagePublisher, "add">;
  readonly now: () => number;
};

/** What is known of a call when it is refused: its admission may have failed, and its body may be unread. */
export type RefusedCall = Pick<PostedCall, "requestId" | "startedAtMs" | "address"> & {
  readonly admitted: Admitted | undefined;
  readonly call: Pick<RelayCall, "model" | "group" | "stream" | "sessionId"> | undefined;
  /** The model named by the URL, for calls whose body was not read. */
  readonly path?: PathValues | undefined;
};

const WINDOW_MS = 60_000;
/** Rows of one user and of all users in a window: a client that retries without a pause must not fill the log. */
const USER_ROWS_MAX = 60;
const ROWS_MAX = 6_000;

/** Counts the rows of each user in windows of a minute. */
function createRowLimits(now: () => number) {
  let window = 0;
  let rows = 0;
  let users = new Map<number, number>();
  let omitted = new Map<number, number>();
  return {
    /** The number of rows of this user that were omitted before this one; undefined if this one is to be omitted, too. */
    take(userId: number): number | undefined {
      const current = Math.floor(now() / WINDOW_MS);
      if (current !== window) {
        // Omissions of the previous window are reported by the user's next row.
        omitted = new Map(
          [...users].flatMap(([id, count]) => (count > USER_ROWS_MAX ? [[id, count - USER_ROWS_MAX]] : [])),
        );
        [window, rows, users] = [current, 0, new Map()];
      }
      const count = (users.get(userId) ?? 0) + 1;
      users.set(userId, count);
      if (count > USER_ROWS_MAX || rows >= ROWS_MAX) return undefined;
      rows++;
      const before = omitted.get(userId) ?? 0;
      omitted.delete(userId);
      return before;
    },
  };
}

function toPostedCall(
  { call, path, requestId, startedAtMs, address, ...refused }: RefusedCall,
  caller: Caller,
): PostedCall {
  const admitted = refused.admitted ?? { caller, pinnedChannelId: undefined };
  const { model, stream } = call ?? path ?? { model: "", stream: false };
  const group = call?.group ?? getGroup(admitted);
  return { requestId, startedAtMs, address, admitted, model, group, stream, tried: [] };
}

export type FailureLog = ReturnType<typeof createFailureLog>;

/**
 * Log rows of calls that failed (option LogErrorEnabled): one for each failed attempt, and one for a call that was
 * refused before its attempts or in addition to them. Calls with unknown keys belong to no user and have no row.
 */
export function createFailureLog({ options, publisher, now }: Deps) {
  const limits = createRowLimits(now);
  const logged = new WeakSet<object>();
  const take = (userId: number): number | undefined =>
    options().flag("LogErrorEnabled") ? limits.take(userId) : undefined;

  return {
    /** A failed attempt; `isRetried` if another channel is tried. */
    attempt(call: RelayCall, error: RelayError, isRetried: boolean): void {
      logged.add(error);
      const omitted = take(call.admitted.caller.known.token.userId);
      if (omitted === undefined) return;
      const shown = hideUpstreamError(error, options());
      publisher.add(attemptRecord({ call, error, shown, isRetried, omitted, nowMs: now() }));
    },
    /** A call that ended with an error; errors of attempts have their rows already. */
    refused(refused: RefusedCall, thrown: unknown): void {
      const error =
        thrown instanceof RelayError ? thrown : new RelayError("internal_error", "an internal error occurred");
      if (error.upstream !== undefined || logged.has(error)) return;
      logged.add(error);
      const caller = refused.admitted?.caller ?? (error instanceof CallerRefusal ? error.caller : undefined);
      if (!caller) return;
      const omitted = take(caller.known.token.userId);
      if (omitted === undefined) return;
      const call = toPostedCall(refused, caller);
      publisher.add(refusalRecord({ call, sessionId: refused.call?.sessionId, error, omitted, nowMs: now() }));
    },
  };
}
