/** Runs steps beside each other, so many at once. A step that failed is thrown by the next `add`, or by `finish`. */
export function createWindow(size: number) {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const throwFirst = (): void => {
    if (failures.length > 0) throw failures[0];
  };
  return {
    /** Begins a step once there is room for it. */
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
