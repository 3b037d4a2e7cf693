import { execFile } from "node:child_process";

/** How a program ended: `reason` is the last line of its output, or why it could not run. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly output: string; readonly reason: string };

const OUTPUT_MAX_BYTES = 16 * 1024 ** 2;

/** Runs a program to its end or its deadline; never throws. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly timeoutMs: number; readonly env?: NodeJS.ProcessEnv },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...options.env };
    const { timeoutMs: timeout } = options;
    execFile(command, args, { timeout, env, maxBuffer: OUTPUT_MAX_BYTES }, (error, stdout, stderr) => {
      if (!error) return resolve({ ok: true });
      const output = `${stdout}${stderr}`.trim();
      const last = output.split("\n").at(-1) ?? "";
      const missing = error.code === "ENOENT" ? `${command} is not installed` : undefined;
      const late = error.killed === true ? `no result after ${Math.round(timeout / 1000)} s` : undefined;
      resolve({ ok: false, output, reason: missing ?? late ?? (last || error.message) });
    });
  });
}
