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
  /**
   * The estimated tokens of a call until it is settled, and the clock second they are recorded in; for `tokens` only.
   */
  readonly guess?: { readonly tokens: number; readonly second: number };
};

/** Calls with the same text can be checked together. */
export const toGroupText = (limits: readonly Limit[]): string =>
  limits
    .map(({ name, max, periodMs, guess }) => `${name} ${max} ${periodMs} ${guess?.tokens ?? 0} ${guess?.second ?? 0}`)
    .join();

/** The five values of each limit for the hold script. */
export const holdArguments = (limits: readonly Limit[]): (string | number)[] =>
  limits.flatMap(({ counts, max, periodMs, guess }) => [counts, max, periodMs, guess?.tokens ?? 0, guess?.second ?? 0]);

/** The limits that need a call's outcome; after a success, those on successes are already counted. */
export const getOutcomeLimits = (limits: readonly Limit[], hasSucceeded: boolean): Limit[] =>
  limits.filter(({ counts }) => counts !== "starts" && (counts !== "successes" || !hasSucceeded));

/** The limits that may receive a failed call's outcome repeatedly: a token estimate must not be subtracted twice. */
export const getRepeatableLimits = (limits: readonly Limit[]): Limit[] =>
  limits.filter(({ counts }) => counts === "successes" || counts === "running");

/** The five values of each limit for the settle script. */
export const settleArguments = (limits: readonly Limit[], usedTokens: number): (string | number)[] =>
  limits.flatMap(({ counts, periodMs, guess }) => [
    counts,
    periodMs,
    guess?.second ?? 0,
    guess?.tokens ?? 0,
    counts === "tokens" ? usedTokens : 0,
  ]);
