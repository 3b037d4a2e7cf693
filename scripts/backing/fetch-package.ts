import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Tell } from "./backing-kind.ts";
import { findOnPath } from "./find-on-path.ts";

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 240_000;

/** Runs a program with a deadline; answers whether it succeeded. */
export async function succeeds(command: string, args: readonly string[], timeoutMs: number): Promise<boolean> {
  try {
    // RUNLEVEL=1 keeps a package's own service from being started beside ours.
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1", HOMEBREW_NO_AUTO_UPDATE: "1" };
    await run(command, args, { timeout: timeoutMs, env, maxBuffer: 16 * 1024 ** 2 });
    return true;
  } catch {
    return false;
  }
}

/** The words before a command that needs the administrator; undefined when this user may not act as one unasked. */
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

/** Installs a package by apt-get or Homebrew; answers the path of its binary, or undefined when neither could. */
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
