/** Something that is looked at every so often while the process runs. */
export type Poll = { readonly start: () => void; readonly stop: () => void };

/** Runs `look` now and periodically, never twice at once; a failure is retried at the next interval. */
export function createPoll(everyMs: number, look: () => Promise<void>): Poll {
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  const once = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    // A figure that cannot be read stays as it was; the backing service's own metrics say why.
    await look().catch(() => undefined);
    isLooking = false;
  };
  return {
    start(): void {
      void once();
      timer ??= setInterval(() => void once(), everyMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
