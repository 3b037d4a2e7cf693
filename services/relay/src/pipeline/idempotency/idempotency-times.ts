/** How long what waits. */
export type IdempotencyTimes = {
  /** How long clients wait for the end of a response to be stored. */
  readonly endWaitMs: number;
  /** How often it is tried, a second apart, to store the end; each try has a deadline of its own. */
  readonly endAttempts: number;
  /** How often a call that produces nothing shows that it still runs. */
  readonly beatMs: number;
  /** How long another relay may show nothing of a call until it is taken for one that never ran there. */
  readonly silentMs: number;
};

export const IDEMPOTENCY_TIMES: IdempotencyTimes = {
  endWaitMs: 2_000,
  endAttempts: 60,
  beatMs: 5_000,
  silentMs: 20_000,
};
