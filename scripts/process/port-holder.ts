import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readCommandLine } from "./orphans.ts";

const COMMAND_MAX_CHARS = 80;
const LSOF_TIMEOUT_MS = 3_000;
/** State of a listening socket in /proc/net/tcp (Linux, include/net/tcp_states.h). */
const LISTENING = "0A";

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Inodes of the sockets that listen on that port; the table has one socket per line (proc(5)). */
export function findListeners(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) === true && state === LISTENING)
    .flatMap(([, , , , , , , , , inode]) => (inode === undefined ? [] : [inode]));
}

function hasSocket(pid: string, links: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return links.has(readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}

function findPidInProc(port: number): number | undefined {
  const inodes = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => findListeners(readText(path), port));
  if (inodes.length === 0) return undefined;
  const links = new Set(inodes.map((inode) => `socket:[${inode}]`));
  const found = readdirSync("/proc").find((name) => /^\d+$/.test(name) && hasSocket(name, links));
  return found === undefined ? undefined : Number(found);
}

function findPidByLsof(port: number): number | undefined {
  try {
    const args = ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-t"];
    const output = execFileSync("lsof", args, { encoding: "utf8", timeout: LSOF_TIMEOUT_MS, stdio: "pipe" });
    return Number.parseInt(output, 10) || undefined;
  } catch {
    return undefined;
  }
}

/** The process that listens on a TCP port; undefined if this user may not see it. */
export function findPortHolder(port: number): { readonly pid: number; readonly command: string } | undefined {
  const pid = process.platform === "linux" ? findPidInProc(port) : findPidByLsof(port);
  if (pid === undefined) return undefined;
  const command = readCommandLine(pid).trim();
  return { pid, command: command.length > COMMAND_MAX_CHARS ? `${command.slice(0, COMMAND_MAX_CHARS)}…` : command };
}
