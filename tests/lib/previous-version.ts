import { execFileSync, type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePorts } from "../../scripts/process/ports.ts";
import type { World } from "./world.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const READY_TIMEOUT_MS = 45_000;
const ARCHIVE_BYTES_MAX = 256 * 1024 ** 2;

const git = (args: readonly string[]): Buffer =>
  execFileSync("git", [...args], { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"], maxBuffer: ARCHIVE_BYTES_MAX });

/** The previous version: the last release's tag, else the commit recorded next to the contracts. */
function formerReference(): string | undefined {
  const recorded = readFileSync(join(ROOT, "proto/released.commit"), "utf8").trim();
  const candidates = [() => git(["describe", "--tags", "--abbrev=0", "HEAD^"]).toString().trim(), () => recorded];
  for (const candidate of candidates) {
    try {
      const reference = candidate();
      git(["cat-file", "-e", `${reference}:services`]);
      return reference;
    } catch {
      // A checkout without tags, or without its history.
    }
  }
  return undefined;
}

/** Packages are shared with this version, except for the workspaces. */
function linkPackages(folder: string): void {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@turnpike"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (name !== "@turnpike" && !name.startsWith("."))
      symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  for (const name of readdirSync(join(folder, "services")))
    symlinkSync(join(folder, "services", name), join(modules, "@turnpike", name));
  symlinkSync(join(folder, "proto"), join(modules, "@turnpike/proto"));
}

/**
 * The code of the previous version in its own folder. In a checkout without history this is the current version:
 * compatibility with the previous version is then only tested by recorded messages.
 */
export function checkOutFormer() {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-former-"));
  const reference = formerReference();
  if (reference !== undefined) {
    execFileSync("tar", ["-x", "-C", folder], {
      input: git(["archive", reference, "services", "proto", "package.json"]),
    });
    linkPackages(folder);
  }
  return {
    folder: reference === undefined ? ROOT : folder,
    reference: reference ?? "this version",
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}

export type ExtraService = {
  readonly grpcAddress: string;
  readonly httpUrl: string;
  readonly stop: () => Promise<number | null>;
};

/**
 * Starts one more process of a service next to those of a world, from the code in a folder; waits until it is ready.
 */
export async function startAdditional(
  world: World,
  service: "auth" | "billing" | "channel" | "relay" | "gateway",
  options: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ExtraService> {
  const spec = world.specs.find(({ name }) => name === service);
  if (!spec) throw new Error(`the world has no ${service}`);
  const [grpcPort = 0, opsPort = 0, httpPort = 0] = await freePorts(3);
  const http = service === "relay" ? { RELAY_PORT: String(httpPort) } : { PORT: String(httpPort) };
  const data = mkdtempSync(join(tmpdir(), "turnpike-beside-"));
  const ports = { GRPC_PORT: String(grpcPort), OPS_PORT: String(opsPort), DATA_DIR: data, ...http };
  const child: ChildProcess = spawn(process.execPath, [join(options.folder, `services/${service}/src/main.ts`)], {
    env: { PATH: process.env["PATH"], ...spec.env, ...ports, ...options.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let reported = "";
  child.stderr?.on("data", (chunk: Buffer) => (reported = (reported + chunk.toString()).slice(-4_000)));
  const ended = once(child, "exit");
  const end = (): boolean => child.kill("SIGKILL");
  process.once("exit", end);
  void ended.then(() => process.off("exit", end));
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${opsPort}/ready`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const untilMs = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady())) {
    if (Date.now() > untilMs || child.exitCode !== null) {
      end();
      throw new Error(`the additional ${service} did not start: ${reported}`);
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  return {
    grpcAddress: `127.0.0.1:${grpcPort}`,
    httpUrl: `http://127.0.0.1:${httpPort}`,
    /** Stops it as a rolling update does; returns its exit code. */
    async stop(): Promise<number | null> {
      child.kill("SIGTERM");
      await ended;
      if (existsSync(data)) rmSync(data, { recursive: true, force: true });
      return child.exitCode;
    },
  };
}
