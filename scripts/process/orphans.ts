import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The command line of a process; empty if it has ended. */
export function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    try {
      return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8", timeout: 2_000 });
    } catch {
      return "";
    }
  }
}

/**
 * True if that process is alive and its command line contains `mark`: the pid alone may belong to another process by
 * now.
 */
export const isRunning = (pid: number, mark: string): boolean => readCommandLine(pid).includes(mark);

/** Ends a process left behind by a killed supervisor; does nothing if the pid belongs to another process. */
export async function endOrphan(pid: number, mark: string, timeoutMs = 10_000): Promise<void> {
  if (!isRunning(pid, mark)) return;
  process.kill(pid, "SIGTERM");
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 50) {
    await sleep(50);
    if (!isRunning(pid, mark)) return;
  }
  process.kill(pid, "SIGKILL");
}
