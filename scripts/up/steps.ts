import type { Report } from "../backing/backing-kind.ts";

/** "1.2 s", "2 min 5 s". */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Reports the steps of a start, each with its duration when it is done. */
export function createSteps(report: Report, now: () => number = () => performance.now()) {
  const beganAtMs = now();
  return {
    /** Runs a step; `describe` is what it led to, undefined if it had nothing to do. Failures pass through. */
    async run<Result>(step: () => Promise<Result>, describe: (result: Result) => string | undefined): Promise<Result> {
      const startedAtMs = now();
      const result = await step();
      const text = describe(result);
      if (text !== undefined) report(`✓ ${text} (${formatDuration(now() - startedAtMs)})`);
      return result;
    },
    /** Begins a step that ends elsewhere; the returned function reports it. */
    begin(): (text: string) => void {
      const startedAtMs = now();
      return (text) => report(`✓ ${text} (${formatDuration(now() - startedAtMs)})`);
    },
    total: (): string => formatDuration(now() - beganAtMs),
  };
}
export type Steps = ReturnType<typeof createSteps>;
