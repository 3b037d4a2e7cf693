import { mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createManagedProcess } from "../process/managed-process.ts";
import { SetupError } from "../process/setup-error.ts";
import type { BackingKind, BackingServer, ServerOptions } from "./backing-kind.ts";
import { adviseOnStart } from "./start-advice.ts";

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;

/** The end of a log. */
export function lastLines(path: string): string {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n").slice(-8).join("\n");
  } catch {
    return "(no log)";
  }
}

type ServerSpec = Pick<BackingKind, "label" | "variable"> & {
  readonly niceness?: number;
  readonly args: readonly string[];
  readonly ready: () => Promise<boolean>;
};

/**
 * Runs a server binary with its output in a log file. Polls `ready` until it returns true. A crash before that fails
 * the start; a crash after it restarts the server on the same port.
 */
export function createBackingServer(options: ServerOptions, spec: ServerSpec): BackingServer {
  mkdirSync(options.folder, { recursive: true });
  mkdirSync(dirname(options.logFile), { recursive: true });
  let exits = 0;
  let lastSignal: string | undefined;
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
      lastSignal = signal;
      if (restartInMs !== undefined)
        options.report(`${spec.label} ended (${signal ?? `code ${code}`}), starting it again in ${restartInMs} ms`);
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
          const log = lastLines(options.logFile);
          const advice = adviseOnStart({ ...spec, ...options, log, signal: lastSignal });
          throw new SetupError(`${spec.label} did not start. The end of ${options.logFile}:\n${log}\n${advice}`);
        }
        await sleep(50);
      }
    },
    stop: () => child.stop(STOP_TIMEOUT_MS),
  };
}
