import { setTimeout as sleep } from "node:timers/promises";
import { type Outcome, runProgram } from "../process/run-program.ts";
import type { Report } from "./backing-kind.ts";
import { findOnPath } from "./find-on-path.ts";

const INSTALL_TIMEOUT_MS = 240_000;
const LOCK_TIMEOUT_MS = 180_000;
const LOCK_RETRY_MS = 1_000;

const ENVIRONMENT = {
  // The texts by which a held lock is recognized are English.
  LC_ALL: "C",
  DEBIAN_FRONTEND: "noninteractive",
  // Prevents the package's own service from starting next to ours.
  RUNLEVEL: "1",
  HOMEBREW_NO_AUTO_UPDATE: "1",
};

/** apt-get reports who holds one of its locks (packages, lists or archives); undefined for any other failure. */
export function findLockHolder(output: string): string | undefined {
  if (!/Could not get lock|Unable to (?:acquire the dpkg frontend lock|lock (?:directory|the))/.test(output))
    return undefined;
  return /held by (process \d+(?: \([^)]+\))?)/.exec(output)?.[1] ?? "another process";
}

/**
 * Runs a package command, again and again while another package installation holds the lock, for at most `timeoutMs`.
 * apt-get waits by itself only for one of its three locks.
 */
export async function runUnlocked(
  run: () => Promise<Outcome>,
  options: { readonly report: Report; readonly timeoutMs?: number; readonly retryMs?: number },
): Promise<Outcome> {
  const { report, timeoutMs = LOCK_TIMEOUT_MS, retryMs = LOCK_RETRY_MS } = options;
  const giveUpAt = Date.now() + timeoutMs;
  let isReported = false;
  for (;;) {
    const outcome = await run();
    const holder = outcome.ok ? undefined : findLockHolder(outcome.output);
    if (outcome.ok || holder === undefined) return outcome;
    if (Date.now() >= giveUpAt)
      return { ...outcome, reason: `${holder} holds the package lock; wait until it ends, or end it` };
    if (!isReported) report(`${holder} is installing packages: waiting up to ${timeoutMs / 1000} s for its lock`);
    isReported = true;
    await sleep(retryMs);
  }
}

/** The prefix for a command that needs root; undefined if this user cannot become root without a password prompt. */
async function administratorPrefix(): Promise<string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  if (!findOnPath("sudo")) return undefined;
  const { ok } = await runProgram("sudo", ["-n", "true"], { timeoutMs: 5_000 });
  // sudo drops the environment, so env sets it again.
  return ok
    ? ["sudo", "-n", "env", ...Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`)]
    : undefined;
}

async function aptInstall(names: readonly string[], report: Report): Promise<Outcome | undefined> {
  const prefix = await administratorPrefix();
  if (!prefix) return undefined;
  report(`installing ${names.join(", ")} with apt-get`);
  const apt = (...args: string[]): Promise<Outcome> => {
    const [command = "apt-get", ...rest] = [...prefix, "apt-get", ...args];
    return runUnlocked(() => runProgram(command, rest, { timeoutMs: INSTALL_TIMEOUT_MS, env: ENVIRONMENT }), {
      report,
    });
  };
  const install = (): Promise<Outcome> => apt("install", "-y", "--no-install-recommends", ...names);
  const first = await install();
  if (first.ok) return first;
  // The lists may be missing or older than the archive.
  const updated = await apt("update");
  return updated.ok ? install() : updated;
}

async function installAll(packages: readonly Package[], report: Report): Promise<Outcome | undefined> {
  if (findOnPath("apt-get"))
    return aptInstall(
      packages.map(({ apt }) => apt),
      report,
    );
  if (!findOnPath("brew")) return undefined;
  const names = packages.map(({ brew }) => brew);
  report(`installing ${names.join(", ")} with Homebrew`);
  return runProgram("brew", ["install", ...names], { timeoutMs: INSTALL_TIMEOUT_MS, env: ENVIRONMENT });
}

/** Names of a package and of the program in it. */
export type Package = { readonly apt: string; readonly brew: string; readonly binary: string };
type Install = (packages: readonly Package[], report: Report) => Promise<Outcome | undefined>;

/**
 * Collects packages and installs them with as few calls as possible, one call at a time: two calls of this program would
 * hold each other's lock.
 */
export function createInstaller(install: Install) {
  let waiting: Package[] = [];
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Outcome | undefined> | undefined;
  return (requested: Package, report: Report): Promise<Outcome | undefined> => {
    waiting.push(requested);
    next ??= running.then(() => {
      const batch = waiting;
      waiting = [];
      next = undefined;
      const result = install(batch, report);
      running = result.catch(() => undefined);
      return result;
    });
    return next;
  };
}

const install = createInstaller(installAll);

/**
 * Installs a package with apt-get (as root or by sudo without a password) or Homebrew. Returns the path of its binary, or
 * undefined if there is no such package manager or it failed; the reason is reported.
 */
export async function installPackage({
  report,
  ...requested
}: Package & { readonly report: Report }): Promise<string | undefined> {
  const outcome = await install(requested, report);
  if (outcome?.ok === false) report(`${requested.apt} could not be installed: ${outcome.reason}`);
  return outcome?.ok === true ? findOnPath(requested.binary) : undefined;
}
