import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const FOLDER = resolve(import.meta.dirname, "../../.turnpike/schemathesis");
/** The version that the checks were written for. */
const PACKAGE = "schemathesis==4.32.5";
const INSTALL_MS = 300_000;

/** Schemathesis in a Python environment of its own below `.turnpike`; undefined with the reason where it cannot be installed. */
export async function installSchemathesis(): Promise<{ program: string } | { reason: string }> {
  const program = join(FOLDER, "bin/st");
  try {
    if (!existsSync(program)) {
      await run("python3", ["-m", "venv", FOLDER], { timeout: INSTALL_MS });
      await run(join(FOLDER, "bin/pip"), ["install", "--quiet", PACKAGE], { timeout: INSTALL_MS });
    }
    await run(program, ["--version"], { timeout: 60_000 });
    return { program };
  } catch (error) {
    return { reason: error instanceof Error ? error.message.slice(0, 500) : String(error) };
  }
}
