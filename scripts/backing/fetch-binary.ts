import { accessSync, chmodSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../process/run-program.ts";
import { SetupError } from "../process/setup-error.ts";
import type { Report } from "./backing-kind.ts";

const VERSION_TIMEOUT_MS = 20_000;

/** Downloads a binary into `folder`: returns its path, undefined if this machine has none to try, or throws. */
export type Download = (folder: string, report: Report) => Promise<string | undefined>;

/** Shared by all clones of one user, so that the second clone starts without a download. */
export const cacheFolder = (): string => join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "turnpike");

/** The server binary that an earlier start downloaded, if any. */
export function findCached(binaryName: string): string | undefined {
  const path = join(cacheFolder(), binaryName);
  return existsSync(path) ? path : undefined;
}

/** The same, if it runs on this machine; a broken one is removed, so that it is downloaded again. */
export async function findUsableCached(binaryName: string): Promise<string | undefined> {
  const path = findCached(binaryName);
  if (path === undefined || (await runProgram(path, ["--version"], { timeoutMs: VERSION_TIMEOUT_MS })).ok) return path;
  rmSync(path, { force: true });
  return undefined;
}

function openCache(): string {
  const folder = cacheFolder();
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    throw new SetupError(
      `${folder} is not writable: downloaded servers belong there. Set XDG_CACHE_HOME to another folder.`,
    );
  }
}

/**
 * Tries the downloads in order and keeps the first binary that runs on this machine in the user's cache. Reports why the
 * others failed; undefined if none worked.
 */
export async function fetchBinary(
  binaryName: string,
  downloads: readonly Download[],
  report: Report,
): Promise<string | undefined> {
  const cache = openCache();
  for (const download of downloads) {
    const draft = mkdtempSync(join(cache, "fetch-"));
    try {
      const binary = await download(draft, report);
      if (binary === undefined) continue;
      chmodSync(binary, 0o755);
      const tried = await runProgram(binary, ["--version"], { timeoutMs: VERSION_TIMEOUT_MS });
      if (!tried.ok) {
        report(`the downloaded ${binaryName} does not run on this machine: ${tried.reason}`);
        continue;
      }
      const kept = join(cache, binaryName);
      renameSync(binary, kept);
      return kept;
    } catch (error) {
      report(`${binaryName} could not be downloaded: ${error instanceof Error ? error.message : "unknown"}`);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return undefined;
}
