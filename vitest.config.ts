import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Tests of running systems mostly wait for them, so even two processors take two files at a time; each brings six services along.
const maxWorkers = Math.min(4, Math.max(2, availableParallelism() - 1));

// Six services, three servers and a browser on whatever machine CI has: a test that only ran out of time gets a second try there.
const onRealServers = {
  globalSetup: ["tests/lib/backing-setup.ts"],
  maxWorkers,
  testTimeout: 30_000,
  hookTimeout: 90_000,
  retry: process.env["CI"] === "true" ? 1 : 0,
};

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "services/*/src/**/*.test.ts",
            "web/src/**/*.test.ts",
            "scripts/**/*.test.ts",
            "tests/lib/**/*.test.ts",
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
