import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Tests of running systems spend much of their time waiting, so even two CPUs run three files at a time; each starts
// six services.
const maxWorkers = Math.min(4, Math.max(3, availableParallelism() - 1));

// Files share their imports (`isolate: false`): unit tests spent three quarters of the time importing the same modules
// again.
const onRealServers = {
  isolate: false,
  globalSetup: ["tests/lib/backing/backing-setup.ts"],
  setupFiles: ["tests/lib/after-failure.ts"],
  maxWorkers,
  testTimeout: 30_000,
  hookTimeout: 150_000,
};

/** The slowest files: started last, one of them would run alone at the end. */
const LONGEST = [
  "browser/tour/tour",
  "system/operation/import",
  "system/tasks/tasks",
  "system/realtime/realtime",
  "system/operation/backup",
  "system/agents/background-takeover",
  "services/billing/usage/crash",
];

/** Starts the slowest files before the others; vitest orders by size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`));
      return rank < 0 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    passWithNoTests: true,
    projects: [
      {
        resolve: { alias: { "@": `${import.meta.dirname}/web/src` } },
        test: {
          name: "unit",
          isolate: false,
          include: [
            "services/*/src/**/*.test.ts",
            "web/src/**/*.test.ts",
            "scripts/**/*.test.ts",
            "tests/{lib,load}/**/*.test.ts",
          ],
          maxWorkers,
          testTimeout: 10_000,
        },
      },
      {
        test: {
          ...onRealServers,
          name: "services",
          include: ["tests/services/**/*.test.ts", "tests/system/**/*.test.ts"],
        },
      },
      {
        test: {
          ...onRealServers,
          name: "clients",
          // Tests wait for installations and for each other: those that can run must not wait for them.
          maxConcurrency: 50,
          include: ["tests/clients/**/*.test.ts"],
        },
      },
      {
        test: {
          ...onRealServers,
          name: "browser",
          globalSetup: [...onRealServers.globalSetup, "tests/lib/console-setup.ts"],
          include: ["tests/browser/**/*.test.ts"],
          testTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
