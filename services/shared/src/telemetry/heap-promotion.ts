import { GCProfiler } from "node:v8";

type Space = { readonly spaceName: string; readonly spaceUsedSize: number };

const ROUNDS = 5;

const oldBytes = (spaces: readonly Space[]): number =>
  spaces.find(({ spaceName }) => spaceName === "old_space")?.spaceUsedSize ?? Number.NaN;

async function promotedInOneRound(run: () => Promise<void>): Promise<number> {
  const profiler = new GCProfiler();
  profiler.start();
  await run();
  const { statistics } = profiler.stop() ?? { statistics: [] };
  return statistics
    .filter(({ gcType }) => gcType === "Scavenge")
    .map(({ beforeGC, afterGC }) => oldBytes(afterGC.heapSpaceStatistics) - oldBytes(beforeGC.heapSpaceStatistics))
    .reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Returns how many bytes V8's collections of the young generation moved to the old one during a function; for tests of
 * hot paths. The minimum of five rounds, because the first ones also move what was in the young generation before.
 */
export async function measurePromotedBytes(run: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) least = Math.min(least, await promotedInOneRound(run));
  return least;
}
