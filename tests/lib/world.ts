import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { BackingName } from "../../scripts/backing/backing-kind.ts";
import { freePort } from "../../scripts/process/ports.ts";
import { waitUntilReady } from "../../scripts/up/readiness.ts";
import type { SystemOptions } from "../../scripts/up/service-specs.ts";
import { createSystem, type System } from "../../scripts/up/system.ts";
import { type BackingUrls, withNamespace, toBackingUrls } from "./backing/backing-urls.ts";
import { type ConsoleClient, createConsoleClient } from "./console-client.ts";
import { type LocalBacking, startLocalBacking } from "./backing/local-backing.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const READY_TIMEOUT_MS = 45_000;
/** Long enough for the message of a line; a stack may be very long. */
const LINE_MAX_CHARS = 500;

export type WorldOptions = {
  /** Servers to use, with a database and namespace of their own; without them the world runs servers that it can also stop. */
  readonly backing?: BackingUrls;
  readonly relayWorkers?: number;
  /** Settings of the services. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of single processes (relay, relay-1, billing …). */
  readonly processEnv?: SystemOptions["processEnv"];
  /** False: no user is set up yet, the setup page is open. */
  readonly withRoot?: boolean;
  readonly logLevel?: string;
  /** The master key of an existing install; a new one if omitted. */
  readonly masterKey?: string;
};

export type World = Awaited<ReturnType<typeof startOnce>>;

/** Logs of the running worlds, so that a failed test can show the services' warnings and errors. */
export const runningLogs = new Set<ReturnType<typeof createLogBook>>();

export const ROOT_USER = { username: "root", password: "turnpike-root-1" } as const;

async function systemOptions(options: WorldOptions, urls: BackingUrls, dataFolder: string): Promise<SystemOptions> {
  const root =
    options.withRoot === false ? {} : { ROOT_USERNAME: ROOT_USER.username, ROOT_PASSWORD: ROOT_USER.password };
  const inherited = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  return {
    ...urls,
    root: ROOT,
    host: "127.0.0.1",
    port: await freePort(),
    relayPort: await freePort(),
    relayWorkers: options.relayWorkers ?? 1,
    dataFolder,
    logLevel: options.logLevel ?? "info",
    masterKey: options.masterKey ?? randomBytes(32).toString("base64"),
    internalSecret: randomBytes(24).toString("base64url"),
    env: { ...inherited, ...root, ...options.env },
    ...(options.processEnv ? { processEnv: options.processEnv } : {}),
  };
}

/** The last lines of each service, kept to explain a failure. */
function createLogBook() {
  const lines: { name: string; line: string }[] = [];
  return {
    lines,
    print: (name: string, line: string): void => void lines.push({ name, line }),
    /** Warnings and errors among the lines from this one on. */
    complaintsFrom: (first: number): string[] =>
      lines
        .slice(first)
        .filter(({ line }) => !line.startsWith("{") || /"level":[4-6]0/.test(line))
        .map(({ name, line }) => `${name}: ${line.slice(0, LINE_MAX_CHARS)}`),
    last: (name: string, count = 15): string =>
      lines
        .filter((entry) => entry.name === name)
        .slice(-count)
        .map(({ line }) => line.slice(0, LINE_MAX_CHARS))
        .join("\n"),
  };
}

/** Waits until all of these are ready; throws with the logs of those that are not. */
async function untilReady(system: System, names: readonly string[], last: (name: string) => string): Promise<void> {
  const late = AbortSignal.timeout(READY_TIMEOUT_MS);
  const slow = new Map<string, string>();
  await waitUntilReady(
    system.specs.filter(({ name }) => names.includes(name)),
    { slowAfterMs: READY_TIMEOUT_MS - 5_000, onSlow: (name, reason) => slow.set(name, reason), signal: late },
  );
  if (!late.aborted) return;
  const details = [...slow].map(([name, reason]) => `${name}: ${reason}\n${last(name)}`);
  const exits = last("up");
  throw new Error(`not ready after ${READY_TIMEOUT_MS / 1000} s\n${[...details, exits].join("\n\n")}`);
}

async function startOnce(options: WorldOptions) {
  const dataFolder = mkdtempSync(join(tmpdir(), "turnpike-world-"));
  const own: LocalBacking | undefined = options.backing ? undefined : await startLocalBacking();
  const urls = options.backing ?? withNamespace(toBackingUrls(own as LocalBacking), "world");
  const settings = await systemOptions(options, urls, dataFolder);
  const log = createLogBook();
  const system = await createSystem(settings, { print: log.print });
  const allNames = system.specs.map(({ name }) => name);
  const consoleUrl = `http://127.0.0.1:${settings.port}`;

  const endAll = (): void => system.specs.forEach(({ name }) => system.getProcess(name).kill("SIGKILL"));
  process.once("exit", endAll);
  const stop = async (): Promise<void> => {
    process.off("exit", endAll);
    runningLogs.delete(log);
    await system.stop();
    await own?.dispose();
    rmSync(dataFolder, { recursive: true, force: true });
  };
  const waitReady = (...names: string[]): Promise<void> =>
    untilReady(system, names.length > 0 ? names : allNames, log.last);
  const getServer = (name: BackingName) => {
    const server = own?.found[name].server;
    if (!server) throw new Error("this world uses shared servers: start it without `backing` to stop them");
    return server;
  };

  system.start();
  runningLogs.add(log);
  try {
    await waitReady();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...urls,
    masterKey: settings.masterKey,
    consoleUrl,
    relayUrl: `http://127.0.0.1:${settings.relayPort}`,
    dataFolder,
    specs: system.specs,
    log,
    /** Secrets that no response and no log line may contain. */
    secrets: { masterKey: settings.masterKey, internalSecret: settings.internalSecret },
    waitReady,
    stop,
    /** A console client without a session. */
    visitor: (): ConsoleClient => createConsoleClient(consoleUrl),
    /** A console client signed in as the root user. */
    async root(): Promise<ConsoleClient> {
      const client = createConsoleClient(consoleUrl);
      await client.login(ROOT_USER.username, ROOT_USER.password);
      return client;
    },
    pid: (name: string): number | undefined => system.getProcess(name).pid(),
    /** Process of a backing server of this world. */
    backingPid: (name: BackingName): number | undefined => getServer(name).process.pid(),
    /** Kills a service with a signal; the supervisor restarts it, as in production. */
    kill: (name: string, signal: NodeJS.Signals = "SIGKILL"): boolean => system.getProcess(name).kill(signal),
    /** Stops a service and keeps it down until `resume`. */
    suspend: (name: string): Promise<void> => system.getProcess(name).stop(10_000),
    async resume(name: string): Promise<void> {
      system.getProcess(name).start();
      await waitReady(name);
    },
    async restart(name: string): Promise<void> {
      await system.getProcess(name).stop(10_000);
      system.getProcess(name).start();
      await waitReady(name);
    },
    /** Prometheus metrics of a service. */
    async metrics(name: string): Promise<string> {
      const spec = system.specs.find((candidate) => candidate.name === name);
      const response = await fetch(`http://127.0.0.1:${spec?.opsPort ?? 0}/metrics`, {
        signal: AbortSignal.timeout(5_000),
      });
      return response.text();
    },
    /** Stops a backing server of this world and starts it again on the same port with the same data. */
    stopBacking: (name: BackingName): Promise<void> => getServer(name).stop(),
    killBacking: (name: BackingName): Promise<void> => getServer(name).process.stop(0, "SIGKILL"),
    startBacking: (name: BackingName): Promise<void> => getServer(name).start(),
  };
}

/**
 * Starts the six services as real processes under the supervisor's own code, on free ports, with an empty database. The
 * caller stops the world. Like tests on CI, a start that times out is retried once.
 */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  try {
    return await startOnce(options);
  } catch (error) {
    if (process.env["CI"] !== "true") throw error;
    console.warn("a world did not start, trying again:", error instanceof Error ? error.message : error);
    return startOnce(options);
  }
}
