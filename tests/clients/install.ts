import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { runProgram } from "./run-program.ts";
import { CLIENT_PACKAGES, type ClientPackages } from "./versions.ts";

const ROOT = resolve(import.meta.dirname, "../../.turnpike/clients");
const INSTALL_MS = 300_000;
const REASON_MAX = 400;

/** The client's folder, and the folder of its programs. */
export type InstalledClient = { readonly folder: string; readonly bin: string };
export type Installation = InstalledClient | { readonly reason: string };

/** How npm and pip report that they do not reach their registry. */
const OUT_OF_REACH =
  /E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|TIMEDOUT)|from versions: none|Failed to establish|timed out/;
export const isOutOfReach = (reason: string): boolean => OUT_OF_REACH.test(reason);

const installEnv = () => ({
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
});

async function runStep(command: readonly string[], cwd: string): Promise<void> {
  const { code, stdout, stderr } = await runProgram(command, { cwd, env: installEnv(), timeoutMs: INSTALL_MS });
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(" ")}: ${(stderr || stdout).slice(-REASON_MAX)}`);
}

async function installNpm(folder: string, { packages, finish }: ClientPackages): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--loglevel=error"];
  await runStep(["npm", "install", "--prefix", folder, ...flags, ...packages], folder);
  if (finish) await runStep(finish, folder);
}

async function installPython(folder: string, { packages }: ClientPackages): Promise<void> {
  await runStep(["python3", "-m", "venv", folder], folder);
  // Compiling takes longer than the one run of each module that follows.
  const flags = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-compile", "--prefer-binary"];
  await runStep([join(folder, "bin/pip"), "install", ...flags, ...packages], folder);
}

/**
 * Installs the pinned release of a client below `.turnpike/clients`, once for each set of versions. Returns the reason
 * where its packages are out of reach or not made for this machine.
 */
async function installClient(id: string): Promise<Installation> {
  const pinned = CLIENT_PACKAGES[id];
  if (!pinned) return { reason: "versions.ts does not list it" };
  const version = createHash("sha256").update(JSON.stringify(pinned)).digest("hex").slice(0, 12);
  const folder = join(ROOT, `${id}-${version}`);
  const done = join(folder, ".installed");
  const bin = join(folder, pinned.registry === "npm" ? "node_modules/.bin" : "bin");
  if (existsSync(done)) return { folder, bin };
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await (pinned.registry === "npm" ? installNpm : installPython)(folder, pinned);
    writeFileSync(done, "");
    return { folder, bin };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Installs clients in this order, two at a time, while the first of them are tested already. Returns the installation of
 * each by its id.
 */
export function installClients(ids: readonly string[]): ReadonlyMap<string, Promise<Installation>> {
  const lanes: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()];
  return new Map(
    ids.map((id, index) => {
      const lane = index % 2 === 0 ? 0 : 1;
      const installation = lanes[lane].then(() => installClient(id));
      lanes[lane] = installation;
      return [id, installation];
    }),
  );
}
