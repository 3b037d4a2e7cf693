import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const KILL_AFTER_MS = 15_000;
/** For the last output of a command that leaves servers running, which keep its pipes open. */
const DRAIN_MS = 1_000;

export type CommandOptions = {
  readonly limitSeconds: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Where the output is kept; it is shown as well, unless `isQuiet`. */
  readonly file: string;
  readonly isQuiet?: boolean;
};

export type CommandResult = {
  readonly isDone: boolean;
  /** Its exit code; undefined when it was ended or did not start. */
  readonly code?: number;
  /** How it ended, in words. */
  readonly ending: string;
  readonly seconds: number;
};

const running = new Set<number>();

function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** Ends all commands and what they started, when the run itself is ended. */
export function endCommands(): void {
  for (const pid of running) endGroup(pid, "SIGKILL");
}

const describeEnding = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `ended with ${code}` : `ended by ${signal}`;

/** Runs a command in a process group of its own, until it ends or its time is over. Never throws. */
export async function runCommand(
  [program = "", ...args]: readonly string[],
  { limitSeconds, env, file, isQuiet = false }: CommandOptions,
): Promise<CommandResult> {
  const startedAtMs = Date.now();
  const kept = createWriteStream(file);
  const child = spawn(program, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      kept.write(chunk);
      if (!isQuiet) process.stdout.write(chunk);
    });
  }
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    if (pid === undefined) return;
    endGroup(pid, "SIGTERM");
    setTimeout(() => endGroup(pid, "SIGKILL"), KILL_AFTER_MS).unref();
  }, limitSeconds * 1_000);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const [code, ending] = await new Promise<[number | undefined, string]>((resolve) => {
    child.once("error", (error) => resolve([undefined, `did not start: ${error.message}`]));
    child.once("exit", (status, signal) => resolve([status ?? undefined, describeEnding(status, signal)]));
  });
  clearTimeout(limit);
  await Promise.race([closed, pause(DRAIN_MS)]);
  child.stdout.destroy();
  child.stderr.destroy();
  if (pid !== undefined) {
    if (isLate) endGroup(pid, "SIGKILL");
    running.delete(pid);
  }
  await new Promise<void>((resolve) => kept.end(resolve));
  const seconds = Math.round((Date.now() - startedAtMs) / 1_000);
  if (isLate) return { isDone: false, ending: `gave no result within ${limitSeconds} s`, seconds };
  return { isDone: code === 0, ending, seconds, ...(code === undefined ? {} : { code }) };
}
