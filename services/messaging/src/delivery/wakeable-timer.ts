/** A wait that can be cut short; a wake while nobody waits shortens the next wait to nothing. */
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
