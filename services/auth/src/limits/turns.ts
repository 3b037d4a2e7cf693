import { AppError } from "@turnpike/shared/errors/app-error";

type Job = { readonly key: string; readonly start: () => void };
export type Turns = ReturnType<typeof createTurns>;

/**
 * Lets a few jobs run at once and never two of one key, the others wait in line. So a limit that is checked inside a job holds
 * even when hundreds arrive together. Throws `unavailable` when the line is full.
 */
export function createTurns(options: { atOnceMax: number; waitingMax: number }) {
  const running = new Set<string>();
  const waiting: Job[] = [];

  const startNext = (): void => {
    while (running.size < options.atOnceMax) {
      const index = waiting.findIndex(({ key }) => !running.has(key));
      const [job] = index < 0 ? [] : waiting.splice(index, 1);
      if (!job) return;
      running.add(job.key);
      job.start();
    }
  };
  const waitFor = (key: string): Promise<void> =>
    new Promise((start, refuse) => {
      if (waiting.length >= options.waitingMax) return refuse(new AppError("unavailable", "the line is full"));
      waiting.push({ key, start });
      startNext();
    });
  return {
    /** Runs the job when it is its turn and answers what it answers. */
    async run<Result>(key: string, job: () => Promise<Result>): Promise<Result> {
      await waitFor(key);
      try {
        return await job();
      } finally {
        running.delete(key);
        startNext();
      }
    },
  };
}
