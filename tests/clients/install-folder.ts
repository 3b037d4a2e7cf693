import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { runProgram } from "./run-program.ts";

const ROOT = resolve(import.meta.dirname, "../../.turnpike/clients");
const STEP_MS = 300_000;
const REASON_MAX = 400;

/** How npm, pip and uv report that they do not reach their registry. */
const OUT_OF_REACH =
  /E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|TIMEDOUT|50\d)|from versions: none|Failed to (establish|fetch)|timed out|gave no result within|takes too long/;
export const isOutOfReach = (reason: string): boolean => OUT_OF_REACH.test(reason);

/** The line that names such a reason, or the end of an output. */
const getReason = (output: string): string =>
  output.split("\n").find(isOutOfReach)?.slice(0, REASON_MAX) ?? output.slice(-REASON_MAX);

/** The folder of these versions. */
export function getInstallFolder(id: string, versions: unknown): string {
  const version = createHash("sha256").update(JSON.stringify(versions)).digest("hex").slice(0, 12);
  return join(ROOT, `${id}-${version}`);
}

/** Runs one program of an installation; throws the reason from its output when it fails. */
export async function runInstallStep(command: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };
  const { code, stdout, stderr } = await runProgram(command, { cwd, env, timeoutMs: STEP_MS });
  if (code === 0) return;
  const output = code === undefined ? `gave no result within ${STEP_MS / 1000} s` : (stderr || stdout).trim();
  throw new Error(`${command.slice(0, 3).join(" ")}: ${getReason(output)}`);
}

/** Runs an installation into an empty folder; an earlier one that was finished stays. */
export async function installOnce(folder: string, install: () => Promise<void>): Promise<void> {
  const done = join(folder, ".installed");
  if (existsSync(done)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install();
  writeFileSync(done, "");
}
