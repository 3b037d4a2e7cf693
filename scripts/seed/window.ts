/** Runs steps concurrently up to a limit. The error of a failed step is thrown by the next `add`, or by `finish`. */
export function createWindow(size: number) {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const throwFirst = (): void => {
    if (failures.length > 0) throw failures[0];
  };
  return {
    /** Starts a step as soon as the limit allows it. */
    async add(step: () => Promise<unknown>): Promise<void> {
      while (running.size >= size) await Promise.race(running);
      throwFirst();
      const mine: Promise<void> = step()
        .then(
          () => undefined,
          (error: unknown) => void failures.push(error),
        )
        .finally(() => running.delete(mine));
      running.add(mine);
    },
    async finish(): Promise<void> {
      await Promise.all(running);
      throwFirst();
    },
  };
}
