import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const ROOT = resolve(import.meta.dirname, "../..");
const READY_TIMEOUT_MS = 900_000;
const STOP_TIMEOUT_MS = 60_000;

export type DemoInstall = { readonly consoleUrl: string; readonly stop: () => Promise<void> };

/** Resolves with the address that the demo prints when it is filled; rejects if it ends, or after some minutes. */
async function findAddress(demo: ChildProcess): Promise<string> {
  const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
  const ended = once(demo, "exit", { signal }).then((): never => {
    throw new Error("the demo ended before it was ready");
  });
  const found = (async () => {
    if (!demo.stdout) throw new Error("the demo has no output");
    for await (const line of createInterface({ input: demo.stdout })) {
      if (line.startsWith("demo:")) process.stdout.write(`${line}\n`);
      const address = /^demo: open (http:\S+) /.exec(line)?.[1];
      if (address !== undefined) return address;
    }
    throw new Error("the demo named no address");
  })();
  return Promise.race([found, ended]);
}

/** Starts the demo with its own data and ports next to a running install. */
export async function startDemo(): Promise<DemoInstall> {
  const env = {
    ...process.env,
    DATA_DIR: process.env["DATA_DIR"] || ".turnpike/screenshots-data",
    PORT: process.env["PORT"] || "3950",
    RELAY_PORT: process.env["RELAY_PORT"] || "3951",
    DEMO_UPSTREAM_PORT: process.env["DEMO_UPSTREAM_PORT"] || "3960",
  };
  const demo = spawn(process.execPath, [join(ROOT, "scripts/demo/main.ts")], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async (): Promise<void> => {
    if (demo.exitCode !== null || demo.signalCode !== null) return;
    const ended = once(demo, "exit", { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
    demo.kill("SIGTERM");
    await ended;
  };
  try {
    const consoleUrl = await findAddress(demo);
    // What it prints from now on must not fill the pipe.
    demo.stdout?.resume();
    return { consoleUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
