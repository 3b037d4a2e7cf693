import { mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createManagedProcess } from "../process/managed-process.ts";
import { SetupError } from "../process/setup-error.ts";
import type { BackingServer, ServerOptions } from "./backing-kind.ts";

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;

function lastLines(path: string): string {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n").slice(-8).join("\n");
  } catch {
    return "(no log)";
  }
}

/**
 * Runs a server binary with its output in a log file. Polls `ready` until it returns true. A crash before that fails
 * the start; a crash after it restarts the server on the same port.
 */
export function createBackingServer(
  options: ServerOptions,
  spec: { label: string; niceness?: number; args: readonly string[]; ready: () => Promise<boolean> },
): BackingServer {
  mkdirSync(options.folder, { recursive: true });
  mkdirSync(dirname(options.logFile), { recursive: true });
  let exits = 0;
  const child = createManagedProcess({
    name: spec.label,
    command: options.binary,
    args: spec.args,
    cwd: options.folder,
    env: process.env,
    logDescriptor: openSync(options.logFile, "a"),
    ...(spec.niceness === undefined ? {} : { niceness: spec.niceness }),
    ...(options.onStart === undefined ? {} : { onStart: options.onStart }),
    onExit: ({ code, signal, restartInMs }) => {
      exits += 1;
      if (restartInMs !== undefined)
        options.tell(`${spec.label} ended (${signal ?? `code ${code}`}), starting it again in ${restartInMs} ms`);
    },
  });

  return {
    port: options.port,
    process: child,
    async start() {
      exits = 0;
      child.start();
      const giveUpAt = Date.now() + START_TIMEOUT_MS;
      while (!(await spec.ready())) {
        if (exits > 0 || Date.now() > giveUpAt) {
          await child.stop(STOP_TIMEOUT_MS);
          throw new SetupError(
            `${spec.label} did not start. The end of ${options.logFile}:\n${lastLines(options.logFile)}`,
          );
        }
        await sleep(50);
      }
    },
    stop: () => child.stop(STOP_TIMEOUT_MS),
  };
}
