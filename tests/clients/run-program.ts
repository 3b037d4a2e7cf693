import { spawn } from "node:child_process";

const OUTPUT_MAX = 1_000_000;

export type ProgramResult = {
  /** Undefined when the program was ended by its deadline. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
};

/** Process groups that still run, ended when the tests end for whatever reason. */
const running = new Set<number>();
process.once("exit", () => running.forEach(endGroup));

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}

/**
 * Runs a program without input in a process group of its own. The whole group is killed at the deadline and when the
 * program ends, so that no background process of a client outlives its test. Rejects when it cannot be started.
 */
export function runProgram(
  [program = "", ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number },
): Promise<ProgramResult> {
  const { cwd, env, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] = (output[name] + text).slice(-OUTPUT_MAX);
      });
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      if (pid !== undefined) endGroup(pid);
    }, timeoutMs);
    const end = (): void => {
      clearTimeout(deadline);
      if (pid !== undefined) endGroup(pid);
      if (pid !== undefined) running.delete(pid);
    };
    child.once("error", (error) => {
      end();
      reject(error);
    });
    child.once("exit", end);
    child.once("close", (code) => resolve({ code: isLate ? undefined : (code ?? -1), ...output }));
  });
}
