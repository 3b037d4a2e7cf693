import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["services/*/src/**/*.test.ts", "web/src/**/*.test.ts", "scripts/**/*.test.ts"],
          testTimeout: 10_000,
        },
      },
      {
        test: {
          name: "services",
          include: ["tests/services/**/*.test.ts", "tests/system/**/*.test.ts"],
          globalSetup: ["tests/lib/backing-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
