import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { findOnPath } from "../../scripts/backing/find-on-path.ts";
import { freePorts } from "../../scripts/process/ports.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");
/** The user id of "nobody" on every system. */
const USER_ID = 65_534;
const SERVERS = ["mongod", "redis-server", "valkey-server", "nats-server", "sudo"];
const STOP_MS = 30_000;
const LINES_KEPT = 60;
/** How this machine reaches its package registries is no part of a home. */
const REGISTRY_SETTINGS = [".npmrc", ".config/pip/pip.conf", ".pip/pip.conf"];

type Start = {
  /** Settles when `make up` reports that it is ready; rejects with its last lines when it ends before or is late. */
  untilReady(timeoutMs: number): Promise<{ readonly consoleUrl: string; readonly relayUrl: string }>;
  /** Ctrl-C, and the end of everything it started. */
  stop(): Promise<void>;
};

/** Copies what a clone would have, with changes that are not committed. */
function copyRepository(to: string): void {
  const list = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], { cwd: REPOSITORY }).toString();
  for (const file of list.split("\0").filter((name) => name !== "" && existsSync(join(REPOSITORY, name)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(REPOSITORY, file), join(to, file));
  }
}

function makeHome(home: string): void {
  mkdirSync(home, { recursive: true });
  for (const file of REGISTRY_SETTINGS.filter((name) => existsSync(join(homedir(), name)))) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    copyFileSync(join(homedir(), file), join(home, file));
  }
}

/** The variables of a login, and those that lead to a registry through a proxy. */
function getEnvironment(home: string): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|LANG|LC_ALL|TZ|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|PIP_.*|npm_config_(?:registry|cafile)|(?:https?|no)_proxy)$/i.test(
      name,
    ),
  );
  return { ...Object.fromEntries(passed), HOME: home, USER: "newcomer" };
}

/** The command that hides programs, takes the network away where requested, and becomes an unprivileged user. */
function enclose(command: readonly string[], hidden: string, isOffline: boolean): string[] {
  const covers = SERVERS.flatMap((name) => findOnPath(name) ?? []).map((path) => `mount --bind ${hidden} ${path}`);
  const steps = [...covers, ...(isOffline ? ["ip link set lo up"] : []), 'exec "$@"'];
  const become = ["setpriv", `--reuid=${USER_ID}`, `--regid=${USER_ID}`, "--clear-groups", "--no-new-privs"];
  const spaces = ["unshare", "--mount", ...(isOffline ? ["--net"] : [])];
  return [...spaces, "sh", "-e", "-c", steps.join("\n"), "sh", ...become, ...command];
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

/** A person with an empty home and a copy of the repository, on a machine without servers. */
export async function createNewcomer(print: (line: string) => void) {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) print("without root, the servers of this machine are not hidden");
  const folder = mkdtempSync(join(tmpdir(), "turnpike-newcomer-"));
  const [home, work, hidden] = [join(folder, "home"), join(folder, "turnpike"), join(folder, "hidden")];
  makeHome(home);
  copyRepository(work);
  writeFileSync(hidden, "", { mode: 0o444 });
  if (isRoot) {
    chownSync(folder, USER_ID, USER_ID);
    execFileSync("chown", ["-R", `${USER_ID}:${USER_ID}`, home, work]);
  }
  const [port = 0, relayPort = 0] = await freePorts(2);
  const settings = { PORT: String(port), RELAY_PORT: String(relayPort), PRIVATE_ADDRESS_ALLOWLIST: "127.0.0.1/32" };

  function start({ isOffline = false } = {}): Start {
    const [program = "", ...args] = isRoot ? enclose(["make", "up"], hidden, isOffline) : ["make", "up"];
    const env = { ...getEnvironment(home), ...settings, LOG_FORMAT: "json" };
    const child = spawn(program, args, { cwd: work, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const lines: string[] = [];
    let onLine: (line: string) => void = () => undefined;
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on("line", (line) => {
        lines.push(line);
        if (/"msg":"(?:downloading|installing)/.test(line)) print(line);
        onLine(line);
      });
    const ended = new Promise<string>((done) => {
      child.once("exit", (code, signal) => done(`ended with ${code ?? signal}`));
      child.once("error", (error) => done(error.message));
    });
    const describe = (what: string): Error => new Error(`make up ${what}:\n${lines.slice(-LINES_KEPT).join("\n")}`);
    return {
      untilReady: (timeoutMs) =>
        new Promise((resolve, reject) => {
          const timer = setTimeout(() => reject(describe(`was not ready after ${timeoutMs} ms`)), timeoutMs);
          void ended.then((how) => reject(describe(how)));
          onLine = (line) => {
            if (!/"msg":"ready"/.test(line) || !line.includes('"console"')) return;
            clearTimeout(timer);
            resolve({ consoleUrl: `http://127.0.0.1:${port}`, relayUrl: `http://127.0.0.1:${relayPort}` });
          };
          lines.forEach(onLine);
        }),
      async stop() {
        endGroup(child, "SIGINT");
        const late = setTimeout(() => endGroup(child, "SIGKILL"), STOP_MS);
        await ended;
        clearTimeout(late);
      },
    };
  }

  const starts: Start[] = [];
  return {
    start(options?: { readonly isOffline?: boolean }): Start {
      const one = start(options);
      starts.push(one);
      return one;
    },
    async remove(): Promise<void> {
      await Promise.all(starts.map((one) => one.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
