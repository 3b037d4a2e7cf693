/**
 * Shares runs of a costly step among those who ask at once. A run that has begun may have looked too early for a newcomer, so
 * newcomers share the next one.
 */
export function createCoalesced<Result>(run: () => Promise<Result>): {
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
