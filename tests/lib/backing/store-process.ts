import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isPortOpen } from "../../../scripts/process/ports.ts";

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** The servers that run; an interrupted run calls no teardown. */
const running = new Set<ChildProcess>();
/** Ends the servers of a store that did not start as a whole; a test calls it last. */
export const killRunning = (): void => running.forEach((child) => child.kill("SIGKILL"));
process.once("exit", killRunning);

/** One server of a replicated store, as a real process. */
export type StoreProcess = ReturnType<typeof createStoreProcess>;

/** A server that stays down when it is killed, until `start`. */
export function createStoreProcess(spec: {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly folder: string;
}) {
  const { name, command, args, port, folder } = spec;
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, `${name}.log`);
  let child: ChildProcess | undefined;
  return {
    name,
    port,
    address: `127.0.0.1:${port}`,
    async start(): Promise<void> {
      const log = openSync(logFile, "a");
      child = spawn(command, [...args], { cwd: folder, stdio: ["ignore", log, log] });
      running.add(child);
      const giveUpAt = Date.now() + START_TIMEOUT_MS;
      while (!(await isPortOpen("127.0.0.1", port))) {
        if (Date.now() > giveUpAt || child.exitCode !== null)
          throw new Error(`${name} did not start:\n${readFileSync(logFile, "utf8").slice(-2_000)}`);
        await pause(POLL_MS);
      }
    },
    /** Ends it as a crash or a lost machine does. */
    async kill(): Promise<void> {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      running.delete(child);
    },
    /** It stands still with its connections open, as when it is cut off or its machine is paused. */
    suspend: (): boolean => child?.kill("SIGSTOP") === true,
    resume: (): boolean => child?.kill("SIGCONT") === true,
  };
}
