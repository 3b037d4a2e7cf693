import { defineConfig } from "vitest/config";

// Six services, three servers and a browser on whatever machine CI has: a test that only ran out of time gets a second try there.
const onRealServers = {
  globalSetup: ["tests/lib/backing-setup.ts"],
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
      { test: { ...onRealServers, name: "browser", include: ["tests/browser/**/*.test.ts"], testTimeout: 120_000 } },
    ],
  },
});
