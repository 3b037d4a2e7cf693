import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Tell } from "./backing-kind.ts";
import { findOnPath } from "./find-on-path.ts";

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 240_000;

/** Runs a program with a deadline; returns whether it succeeded. */
export async function succeeds(command: string, args: readonly string[], timeoutMs: number): Promise<boolean> {
  try {
    // RUNLEVEL=1 prevents the package's own service from starting next to ours.
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1", HOMEBREW_NO_AUTO_UPDATE: "1" };
    await run(command, args, { timeout: timeoutMs, env, maxBuffer: 16 * 1024 ** 2 });
    return true;
  } catch {
    return false;
  }
}

/** The prefix for a command that needs root; undefined if this user cannot become root without a password prompt. */
async function administratorPrefix(): Promise<string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  return findOnPath("sudo") && (await succeeds("sudo", ["-n", "true"], 5_000)) ? ["sudo", "-n"] : undefined;
}

async function aptInstall(name: string): Promise<void> {
  const prefix = await administratorPrefix();
  if (!prefix) return;
  const apt = async (...args: string[]): Promise<boolean> => {
    const [command = "apt-get", ...rest] = [...prefix, "apt-get", ...args];
    return succeeds(command, rest, INSTALL_TIMEOUT_MS);
  };
  if (await apt("install", "-y", "--no-install-recommends", name)) return;
  await apt("update");
  await apt("install", "-y", "--no-install-recommends", name);
}

/** Installs a package with apt-get or Homebrew; returns the path of its binary, or undefined if neither worked. */
export async function fetchedByPackageManager(wanted: {
  apt: string;
  brew: string;
  binary: string;
  tell: Tell;
}): Promise<string | undefined> {
  if (findOnPath("apt-get")) {
    wanted.tell(`installing ${wanted.apt} with apt-get`);
    await aptInstall(wanted.apt);
  } else if (findOnPath("brew")) {
    wanted.tell(`installing ${wanted.brew} with Homebrew`);
    await succeeds("brew", ["install", wanted.brew], INSTALL_TIMEOUT_MS);
  }
  return findOnPath(wanted.binary);
}
