import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BackgroundLoop, createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { Logger } from "@turnpike/shared/log/log";
import { isProcessAlive } from "@turnpike/shared/lifecycle/process-identity";
import { OWNER_FILE, type Spool } from "./spool.ts";

/** The folder below the spool's for messages that can never be sent. */
export const DEAD_LETTERS = "dead-letters";

const EVERY_MS = 5_000;
/** Longer than the time after which the janitor takes a relay for dead. */
const SILENT_MS = 20_000;

type Deps = {
  readonly spool: Pick<Spool, "takeOver" | "retryTaken">;
  readonly root: string;
  readonly owner: string;
  /** The last heartbeat of a relay in Redis; undefined if there is none. Rejects while Redis is down. */
  readonly readHeartbeat: (relayId: string) => Promise<string | undefined>;
  /** Begins to send what the spool holds. */
  readonly sendSpooled: () => void;
  readonly monotonicMs: () => number;
  readonly log: Logger;
};

/** Watches the heartbeats of relays whose process cannot be seen from here. */
function createHeartbeatWatch({ readHeartbeat, monotonicMs }: Pick<Deps, "readHeartbeat" | "monotonicMs">) {
  const watched = new Map<string, { readonly beat: string | undefined; readonly sinceMs: number }>();
  return {
    /** True once a relay's heartbeat has not changed for a while in which Redis responded. */
    async hasNoHeartbeat(relayId: string): Promise<boolean> {
      const beat = await readHeartbeat(relayId).catch((error: unknown) => {
        watched.clear();
        throw error;
      });
      const before = watched.get(relayId);
      if (before && before.beat === beat) return monotonicMs() - before.sinceMs >= SILENT_MS;
      watched.set(relayId, { beat, sinceMs: monotonicMs() });
      return false;
    },
    forget: (relayId: string): void => void watched.delete(relayId),
  };
}

function readOwner(folder: string): string {
  try {
    return readFileSync(join(folder, OWNER_FILE), "utf8");
  } catch {
    return "";
  }
}

/**
 * Finds the folders of dead relays on this volume and takes them over. A relay in the same container or on the same machine is dead
 * when its process has ended. Any other one (the volume is shared by containers or machines) is dead when its heartbeat in
 * Redis has not changed for 20 s. One that was only cut off that long creates its folder again; billing drops records that
 * it receives twice.
 */
export function createSpoolTakeover(deps: Deps): BackgroundLoop & { readonly checkOnce: () => Promise<void> } {
  const { spool, root, owner, log } = deps;
  const heartbeats = createHeartbeatWatch(deps);
  const isDead = async (name: string): Promise<boolean> => {
    const isAlive = isProcessAlive(readOwner(join(root, name)));
    return isAlive === undefined ? heartbeats.hasNoHeartbeat(name) : !isAlive;
  };
  const takeDead = async (): Promise<void> => {
    spool.retryTaken();
    const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) {
      if (name === owner || name === DEAD_LETTERS || !(await isDead(name))) continue;
      spool.takeOver(name);
      heartbeats.forget(name);
    }
  };
  const look = (): Promise<void> => takeDead().finally(deps.sendSpooled);
  const loop = createBackgroundLoop({ task: "spool takeover", run: look, everyMs: EVERY_MS, log });
  return { ...loop, checkOnce: look };
}
