import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

function commandLine(pid: number): string {
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

/** True when that process lives and its command line holds `mark`: a pid alone may have passed to a stranger. */
export const isRunning = (pid: number, mark: string): boolean => commandLine(pid).includes(mark);

/** Ends a process left behind by a supervisor that was killed; does nothing when the pid is a stranger's. */
export async function endOrphan(pid: number, mark: string, timeoutMs = 10_000): Promise<void> {
  if (!isRunning(pid, mark)) return;
  process.kill(pid, "SIGTERM");
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 50) {
    await sleep(50);
    if (!isRunning(pid, mark)) return;
  }
  process.kill(pid, "SIGKILL");
}
