/**
 * Single flight: concurrent callers share runs of a costly step. A call during a run joins the next run, since the current one may
 * have read its data too early for the caller.
 */
export function createSingleFlight<Result>(run: () => Promise<Result>): {
  readonly call: () => Promise<Result>;
  readonly isIdle: () => boolean;
} {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;

  const begin = (): Promise<Result> => {
    const mine = run().finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    return mine;
  };
  return {
    call(): Promise<Result> {
      if (!running) return begin();
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return begin();
        });
      return next;
    },
    isIdle: () => running === undefined && next === undefined,
  };
}
