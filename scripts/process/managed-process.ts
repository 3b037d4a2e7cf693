import { type ChildProcess, spawn } from "node:child_process";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createBackoff } from "./backoff.ts";

/** How a child process ended; `restartInMs` is missing if it is not restarted. */
export type ExitReport = {
  readonly code: number | undefined;
  readonly signal: string | undefined;
  readonly restartInMs: number | undefined;
};

export type ProcessSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** File descriptor for stdout and stderr; without it each line goes to `onLine`. */
  readonly logDescriptor?: number;
  /** Niceness: how much CPU priority the process yields (0 none, 19 most). */
  readonly niceness?: number;
  readonly onLine?: (line: string) => void;
  readonly onStart?: (pid: number) => void;
  readonly onExit?: (report: ExitReport) => void;
};

export type ManagedProcess = ReturnType<typeof createManagedProcess>;

/** Niceness of billing and its database: calls have priority on a busy machine (docs/decisions/041). */
export const POSTING_NICENESS = 5;

/** Set before the child creates its threads, which inherit it. */
function stepBack(pid: number | undefined, niceness: number | undefined): void {
  if (pid === undefined || niceness === undefined) return;
  try {
    setPriority(pid, niceness);
  } catch {
    // The process has ended already, or the system does not allow the change: it then runs with normal priority.
  }
}

const waitForExit = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) resolve();
    else child.once("exit", () => resolve());
  });

/**
 * Keeps one child process running until `stop`: restarts it after a crash, with increasing delay (250 ms to 10 s). The
 * child has its own process group, so that Ctrl-C in the terminal reaches only the supervisor, which then stops the
 * processes in order.
 */
export function createManagedProcess(spec: ProcessSpec) {
  const backoff = createBackoff({ firstMs: 250, lastMs: 10_000, resetAfterMs: 30_000, now: () => Date.now() });
  let child: ChildProcess | undefined;
  let shouldRun = false;
  let timer: NodeJS.Timeout | undefined;

  const readLines = (stream: Readable | null): void => {
    if (stream)
      createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => spec.onLine?.(line));
  };

  const ended = (of: ChildProcess, code: number | null, signal: string | null): void => {
    if (child !== of) return;
    child = undefined;
    const restartInMs = shouldRun ? backoff.nextMs() : undefined;
    spec.onExit?.({ code: code ?? undefined, signal: signal ?? undefined, restartInMs });
    if (restartInMs !== undefined) timer = setTimeout(launch, restartInMs);
  };

  function launch(): void {
    const output = spec.logDescriptor ?? "pipe";
    const started = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ["ignore", output, output],
      detached: true,
    });
    child = started;
    stepBack(started.pid, spec.niceness);
    backoff.started();
    readLines(started.stdout);
    readLines(started.stderr);
    started.once("error", (error) => {
      spec.onLine?.(`cannot run ${spec.command}: ${error.message}`);
      if (started.pid === undefined) ended(started, 127, null);
    });
    started.once("exit", (code, signal) => ended(started, code, signal));
    if (started.pid !== undefined) spec.onStart?.(started.pid);
  }

  return {
    name: spec.name,
    pid: (): number | undefined => child?.pid,
    /** Starts it unless it is running. */
    start(): void {
      shouldRun = true;
      clearTimeout(timer);
      if (!child) launch();
    },
    /** Sends a signal to the running child; a child that dies of it is restarted. False if nothing runs. */
    kill: (signal: NodeJS.Signals): boolean => child?.kill(signal) ?? false,
    /**
     * Sends SIGTERM, then SIGKILL after `timeoutMs`, and does not restart the child. Settles when the process has
     * ended.
     */
    async stop(timeoutMs: number, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
      shouldRun = false;
      clearTimeout(timer);
      const running = child;
      if (!running) return;
      running.kill(signal);
      const insist = setTimeout(() => running.kill("SIGKILL"), timeoutMs);
      await waitForExit(running);
      clearTimeout(insist);
    },
  };
}
