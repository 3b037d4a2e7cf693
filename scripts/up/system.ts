import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { POSTING_NICENESS, createManagedProcess, type ManagedProcess } from "../process/managed-process.ts";
import { createRunFile, serviceMark } from "./run-file.ts";
import { isEdge, planServices, type ServiceSpec, type SystemOptions } from "./service-specs.ts";

const EDGE_STOP_TIMEOUT_MS = 6_000;
const CONTROL_STOP_TIMEOUT_MS = 5_000;

export type SystemHooks = {
  /** Receives each line that a service writes, and the supervisor's own messages under the name "up". */
  readonly print: (name: string, line: string) => void;
};

/** One running instance of the six services. */
export type System = Awaited<ReturnType<typeof createSystem>>;

function describeExit(code: number | undefined, signal: string | undefined): string {
  return signal === undefined ? `exited with code ${code}` : `was ended by ${signal}`;
}

/** Variables that only the supervisor or one service may read. */
const WITHHELD = new Set(["ROOT_USERNAME", "ROOT_PASSWORD", "PORT", "RELAY_PORT"]);

/** As in docker/service.Dockerfile. */
const START_FLAGS = [
  // Size of the young generation (three semi-spaces, MB each): at 16, a relay under streams collects it more often, and promotes more of
  // every call. At most 48 MB more are used than at 16, under load.
  "--max-semi-space-size=32",
  // V8's four concurrent GC threads take four fifths of a core from the program on a single-core machine: calls paused
  // for 15 ms at a time, three or four times per collection.
  "--v8-pool-size=1",
];

/** Node's compile cache: from the second start a service needs two thirds of the time and some 25 MB less. */
const COMPILE_CACHE = ".turnpike/compile-cache";

function childEnvironment(inherited: NodeJS.ProcessEnv, own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const rest = Object.entries(inherited).filter(([name]) => !WITHHELD.has(name) && !name.startsWith("npm_"));
  return { ...Object.fromEntries(rest), ...own };
}

/**
 * Plans the six services as child processes on free ports and runs them with restarts. Nothing runs before `start`.
 */
export async function createSystem(options: SystemOptions, hooks: SystemHooks) {
  const specs = await planServices(options);
  const runFile = createRunFile(options.dataFolder);
  const inherited = { NODE_COMPILE_CACHE: join(options.root, COMPILE_CACHE), ...options.env };
  const tracing = pathToFileURL(join(options.root, "services/shared/src/telemetry/start.ts")).href;

  const createProcess = (spec: ServiceSpec): ManagedProcess =>
    createManagedProcess({
      name: spec.name,
      command: process.execPath,
      args: [...START_FLAGS, "--import", tracing, serviceMark(options.root, spec.service)],
      cwd: options.root,
      env: childEnvironment(inherited, spec.env),
      // On an overloaded machine calls have priority over usage posting, which catches up later.
      ...(spec.service === "billing" ? { niceness: POSTING_NICENESS } : {}),
      onLine: (line) => hooks.print(spec.name, line),
      onStart: (pid) => runFile.put(spec, pid),
      onExit: ({ code, signal, restartInMs }) => {
        if (restartInMs !== undefined)
          hooks.print("up", `${spec.name} ${describeExit(code, signal)}, starting it again in ${restartInMs} ms`);
      },
    });
  const processes = new Map(specs.map((spec) => [spec.name, createProcess(spec)]));

  const getProcess = (name: string): ManagedProcess => {
    const found = processes.get(name);
    if (!found) throw new Error(`no service ${name}; there are ${[...processes.keys()].join(", ")}`);
    return found;
  };
  const stopAll = async (isSelected: (spec: ServiceSpec) => boolean, timeoutMs: number): Promise<void> => {
    await Promise.all(specs.filter(isSelected).map(({ name }) => getProcess(name).stop(timeoutMs)));
  };

  return {
    specs,
    getProcess,
    /** Starts the given processes concurrently: each waits for its dependencies by itself. */
    start(isSelected: (spec: ServiceSpec) => boolean = () => true): void {
      for (const { name } of specs.filter(isSelected)) getProcess(name).start();
    },
    /** Stops the edge first, so that open calls end while their dependencies still run. */
    async stop(): Promise<void> {
      await stopAll(isEdge, EDGE_STOP_TIMEOUT_MS);
      await stopAll((spec) => !isEdge(spec), CONTROL_STOP_TIMEOUT_MS);
      runFile.clear();
    },
    /** Ends everything immediately, without a grace period. */
    kill: (): Promise<void> => stopAll(() => true, 0),
  };
}
