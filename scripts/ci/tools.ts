import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { z } from "zod";
import { cacheFolder } from "../backing/fetch-binary.ts";
import { type CommandResult, runCommand } from "./run-command.ts";
import type { Readiness, Tool } from "./step.ts";

const ATTEMPTS = 2;
/** A tool that hangs must not cost a run more than a few minutes: it hangs at each of these, and at two attempts. */
const STOP_SECONDS = 45;
const ENGINE_SECONDS = 120;
const CLUSTER_SECONDS = 240;
const IMAGES_SECONDS = 900;
/** More than the installer takes at most. */
const CLIENTS_SECONDS = 400;
const OUTPUT_LINES = 40;
/** Exit code of `.ci/cluster … probe` when the program does not work. */
const UNAVAILABLE = 3;
const NODE = "node_modules/.bin/node";

const ClientsResult = z.object({ installed: z.array(z.string()), leftOut: z.record(z.string(), z.string()) });

type Attempt = Readiness & { readonly isFinal?: boolean };

/**
 * Prepares once, however many steps need it; a tool that does not work is tried a second time. It is stopped before,
 * since what an interrupted run left looks like a tool that does not respond.
 */
function createTool(stop: () => Promise<unknown>, attempt: () => Promise<Attempt>): Tool {
  let preparing: Promise<Readiness> | undefined;
  let isGivenUp = false;
  const prepare = async (): Promise<Readiness> => {
    let result: Attempt = { state: "unavailable", reason: "it was not tried" };
    for (let count = 0; count < ATTEMPTS; count++) {
      await stop();
      result = await attempt();
      if (result.state !== "unavailable" || result.isFinal === true) return result;
    }
    await stop();
    isGivenUp = true;
    return result;
  };
  return {
    prepare: () => (preparing ??= prepare()),
    async stop() {
      // One that never worked was stopped after its last attempt.
      if (preparing !== undefined && !isGivenUp) await stop();
    },
  };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const absent = (path: string): Attempt => ({ state: "unavailable", reason: `${path} is not there`, isFinal: true });

/** The last words of a command that failed. */
function explain(what: string, { ending }: CommandResult, file: string): string {
  const last = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "";
  return `${what} ${ending}${last === "" ? "" : `: ${last.slice(0, 300)}`}`;
}

export type ToolOptions = {
  readonly path: string;
  /** Where the output of its commands is kept. */
  readonly folder: string;
  /** Seconds for each command of the tool. */
  readonly limitSeconds?: number;
};

/**
 * A container engine: a program with the commands `up`, which prints DOCKER_HOST=…, `images` and `down`. It works when a
 * container starts and its port responds.
 */
export function createEngine({ path, folder, limitSeconds = ENGINE_SECONDS }: ToolOptions): Tool {
  const file = join(folder, "engine.log");
  const call = (command: readonly string[], env: Readonly<Record<string, string>> = {}, seconds = limitSeconds) =>
    runCommand(command, { limitSeconds: seconds, env, file, isQuiet: true });
  const attempt = async (): Promise<Attempt> => {
    if (!existsSync(path)) return absent(path);
    const program = realpathSync(path);
    const up = await call([program, "up"]);
    const host = /^DOCKER_HOST=(\S+)$/m.exec(readFileSync(file, "utf8"))?.[1];
    if (!up.isDone || host === undefined)
      return { state: "unavailable", reason: explain("the container engine", up, file) };
    const env = { DOCKER_HOST: host, TEST_BACKING: "containers", TESTCONTAINERS_RYUK_DISABLED: "true" };
    // Its images are made of the programs that the local tests use.
    const cached = { PATH: `${process.env["PATH"]}${delimiter}${cacheFolder()}` };
    const made = { ...env, ...cached, MONGOD_BIN: join(cacheFolder(), "mongod") };
    const images = await call([program, "images"], made, 2 * limitSeconds);
    if (!images.isDone) return { state: "unavailable", reason: explain("making images", images, file) };
    const probe = await call([NODE, "scripts/ci/engine-probe.ts"], env);
    return probe.isDone
      ? { state: "ready", env }
      : { state: "unavailable", reason: explain("a container", probe, file) };
  };
  return createTool(
    () => (existsSync(path) ? call([path, "down"], {}, Math.min(limitSeconds, STOP_SECONDS)) : Promise.resolve()),
    attempt,
  );
}

/**
 * The clients of `make clients-test`, installed at the lowest priority next to another step. `command` installs them; its
 * last line is JSON (tests/clients/preparation.ts). Without any of them there is no result about the product.
 */
export function createClients({
  command,
  folder,
  limitSeconds = CLIENTS_SECONDS,
}: Omit<ToolOptions, "path"> & { readonly command: readonly string[] }): Tool {
  const file = join(folder, "clients-prepare.log");
  const prepare = async (): Promise<Readiness> => {
    const done = await runCommand(["nice", "-n", "19", ...command], { limitSeconds, file, isQuiet: true });
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const output = lines.slice(-OUTPUT_LINES).join("\n");
    if (!done.isDone) return { state: "failed", reason: `installing the clients ${done.ending}`, output };
    const result = ClientsResult.safeParse(asJson(lines.at(-1) ?? ""));
    if (!result.success) return { state: "failed", reason: "installing the clients gave no result", output };
    const { installed, leftOut } = result.data;
    const reasons = Object.entries(leftOut).map(([id, reason]) => `${id}: ${reason}`);
    if (installed.length === 0) return { state: "unavailable", reason: `no client is installed; ${reasons[0]}` };
    return { state: "ready", env: { CLIENTS_LEFT_OUT: JSON.stringify(leftOut) }, leftOut: reasons };
  };
  let preparing: Promise<Readiness> | undefined;
  return { prepare: () => (preparing ??= prepare()), stop: () => Promise.resolve() };
}

/**
 * A Kubernetes of one node, as .ci/cluster uses it. It works when a pod runs and its port responds; then the images are
 * built, whose failure is one of the product.
 */
export function createCluster({
  path,
  folder,
  limitSeconds = CLUSTER_SECONDS,
}: ToolOptions): Tool & { readonly program: string } {
  const program = existsSync(path) ? realpathSync(path) : path;
  const file = join(folder, "cluster-prepare.log");
  const call = (what: string, seconds: number) =>
    runCommand([".ci/cluster", program, what], { limitSeconds: seconds, file, isQuiet: true });
  const fail = (reason: string): Attempt => {
    const output = readFileSync(file, "utf8").trimEnd().split("\n").slice(-OUTPUT_LINES).join("\n");
    return { state: "failed", reason, output };
  };
  const attempt = async (): Promise<Attempt> => {
    if (!existsSync(path)) return absent(path);
    const probe = await call("probe", limitSeconds);
    if (probe.code === UNAVAILABLE || probe.code === undefined)
      return { state: "unavailable", reason: explain("the cluster", probe, file) };
    // The script itself failed, which must not pass for a machine without a cluster.
    if (!probe.isDone) return fail(".ci/cluster failed");
    const images = await call("images", IMAGES_SECONDS);
    return images.isDone ? { state: "ready" } : fail("the images could not be built");
  };
  return {
    ...createTool(() => (existsSync(path) ? call("down", STOP_SECONDS) : Promise.resolve()), attempt),
    program,
  };
}
