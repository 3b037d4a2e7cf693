/**
 * A limit on calls, stored in Redis and therefore shared by all relays. `starts`: at most `max` in the last `periodMs`.
 * `successes`: at most `max` of the calls that began in the last `periodMs` succeed; a running call counts until it
 * fails. `running`: at most `max` concurrently; a call whose relay has not refreshed it for `periodMs` no longer
 * counts. `tokens`: at most `max` in the last `periodMs`, where running calls count with their estimate.
 */
export type Limit = {
  readonly name: string;
  readonly max: number;
  readonly periodMs: number;
  readonly counts: "starts" | "successes" | "running" | "tokens";
  /** The estimated tokens of a call until it is settled; for `tokens` only. */
  readonly guessedTokens?: number;
};

/** What is left of a limit, and after how many ms it is completely free again if nothing else is used. */
export type LimitState = { readonly limit: Limit; readonly remaining: number; readonly resetMs: number };
/** Receives the limits of a call, admitted or refused. */
export type ReportLimits = (states: readonly LimitState[]) => void;

/** Calls with the same text can be checked together. */
export const toGroupText = (limits: readonly Limit[]): string =>
  limits.map(({ name, max, periodMs, guessedTokens = 0 }) => `${name} ${max} ${periodMs} ${guessedTokens}`).join();

/** The four values of each limit for the hold script. */
export const holdArguments = (limits: readonly Limit[]): (string | number)[] =>
  limits.flatMap(({ counts, max, periodMs, guessedTokens = 0 }) => [counts, max, periodMs, guessedTokens]);

export const countsTokens = (limits: readonly Limit[]): boolean => limits.some(({ counts }) => counts === "tokens");

/** The limits that need a call's outcome; after a success, those on successes are already counted. */
export const getOutcomeLimits = (limits: readonly Limit[], hasSucceeded: boolean): Limit[] =>
  limits.filter(({ counts }) => counts !== "starts" && (counts !== "successes" || !hasSucceeded));

/** The limits that may receive a failed call's outcome repeatedly: a token estimate must not be subtracted twice. */
export const getRepeatableLimits = (limits: readonly Limit[]): Limit[] =>
  limits.filter(({ counts }) => counts === "successes" || counts === "running");

/** The five values of each limit for the settle script. */
export const settleArguments = (
  limits: readonly Limit[],
  usedTokens: number,
  estimateSecond = 0,
): (string | number)[] =>
  limits.flatMap(({ counts, periodMs, guessedTokens = 0 }) => [
    counts,
    periodMs,
    estimateSecond,
    guessedTokens,
    counts === "tokens" ? usedTokens : 0,
  ]);
