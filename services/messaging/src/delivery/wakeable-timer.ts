/** A cancellable wait; a wake without a waiter makes the next wait return at once. */
export function createWakeableTimer() {
  let end: (() => void) | undefined;
  let isWoken = false;
  return {
    wait: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(() => end?.(), isWoken ? 0 : ms);
        isWoken = false;
        end = () => {
          clearTimeout(timer);
          end = undefined;
          resolve();
        };
      }),
    wake: (): void => {
      if (end) end();
      else isWoken = true;
    },
  };
}
