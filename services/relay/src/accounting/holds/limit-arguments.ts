/**
 * A limit on calls, kept in Redis, so that it holds over all relays. `starts`: at most `max` in the last `periodMs`. `successes`: at
 * most `max` of those that began in the last `periodMs` succeed; one that runs counts until it has failed. `running`: at most
 * `max` at one moment; a call whose relay has not said for `periodMs` that it runs no longer counts. `tokens`: at most `max` in the
 * last `periodMs`, running calls counted with what they are taken for.
 */
export type Limit = {
  readonly name: string;
  readonly max: number;
  readonly periodMs: number;
  readonly counts: "starts" | "successes" | "running" | "tokens";
  /** What a call is taken for until it is settled, and the second of the clock that this is noted in; for `tokens` only. */
  readonly guess?: { readonly tokens: number; readonly second: number };
};

/** Calls with the same text can be checked together. */
export const groupTextOf = (limits: readonly Limit[]): string =>
  limits
    .map(({ name, max, periodMs, guess }) => `${name} ${max} ${periodMs} ${guess?.tokens ?? 0} ${guess?.second ?? 0}`)
    .join();

/** The five values of each limit as the hold script wants them. */
export const holdArguments = (limits: readonly Limit[]): (string | number)[] =>
  limits.flatMap(({ counts, max, periodMs, guess }) => [counts, max, periodMs, guess?.tokens ?? 0, guess?.second ?? 0]);

/** The limits that want to know how a call ended; of a success those on successes know already. */
export const toldAtTheEnd = (limits: readonly Limit[], hasSucceeded: boolean): Limit[] =>
  limits.filter(({ counts }) => counts !== "starts" && (counts !== "successes" || !hasSucceeded));

/** The limits that may be told of a failed call over and over: a guess of tokens must not be taken back twice. */
export const toldAgain = (limits: readonly Limit[]): Limit[] =>
  limits.filter(({ counts }) => counts === "successes" || counts === "running");

/** The five values of each limit as the settle script wants them. */
export const settleArguments = (limits: readonly Limit[], usedTokens: number): (string | number)[] =>
  limits.flatMap(({ counts, periodMs, guess }) => [
    counts,
    periodMs,
    guess?.second ?? 0,
    guess?.tokens ?? 0,
    counts === "tokens" ? usedTokens : 0,
  ]);
