import { execFile } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Report } from "../backing/backing-kind.ts";
import { SetupError } from "../process/setup-error.ts";

const run = promisify(execFile);
const BUILD_TIMEOUT_MS = 300_000;
const SOURCES = ["web/src/**", "web/public/**", "web/*.*", "services/contract/src/**", "package-lock.json"];

const changedAtMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** True if the built console is missing or older than one of its sources. */
export function isConsoleStale(root: string): boolean {
  const builtAtMs = changedAtMs(join(root, "web/dist/index.html"));
  if (builtAtMs === 0) return true;
  return globSync(SOURCES, { cwd: root }).some((path) => changedAtMs(join(root, path)) > builtAtMs);
}

/** Builds the console if it is stale, and returns whether it was; throws SetupError with the end of the build's output on failure. */
export async function ensureConsole(root: string, report: Report): Promise<boolean> {
  if (!isConsoleStale(root)) return false;
  report("building the console");
  const path = [join(root, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  try {
    await run("npm", ["run", "build", "--workspace", "web"], {
      cwd: root,
      // Always the production build, also in tests: the tests use the build that users get.
      env: { ...process.env, NODE_ENV: "production", PATH: path },
      timeout: BUILD_TIMEOUT_MS,
      maxBuffer: 16 * 1024 ** 2,
    });
    return true;
  } catch (error) {
    const output = error as { stdout?: string; stderr?: string };
    const last = `${output.stdout ?? ""}${output.stderr ?? ""}`.trimEnd().split("\n").slice(-20).join("\n");
    throw new SetupError(`The console could not be built:\n${last}\nRepair it with npm ci, or see the messages above.`);
  }
}
