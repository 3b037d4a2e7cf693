import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The package on PyPI that carries LiteLLM's list of models and prices. */
export const PACKAGE = "litellm";
const LIST = "litellm/model_prices_and_context_window_backup.json";
const BUFFER_BYTES = 64 * 1024 * 1024;

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: "utf8", maxBuffer: BUFFER_BYTES, stdio: ["ignore", "pipe", "pipe"] });

/** The newest released version. */
export function newestVersion(): string {
  const version = /\(([\w.]+)\)/.exec(run("pip", "index", "versions", PACKAGE))?.[1];
  if (version === undefined) throw new Error(`pip does not name a version of ${PACKAGE}`);
  return version;
}

/** The newest package's version and list; needs pip and python3. */
export function downloadList(): { readonly version: string; readonly list: Record<string, Record<string, unknown>> } {
  const folder = mkdtempSync(join(tmpdir(), "catalogue-"));
  try {
    run("pip", "download", PACKAGE, "--no-deps", "--quiet", "-d", folder);
    const wheel = readdirSync(folder).find((name) => name.endsWith(".whl"));
    const version = /^litellm-([\w.]+?)-/.exec(wheel ?? "")?.[1];
    if (wheel === undefined || version === undefined) throw new Error(`pip downloaded no wheel of ${PACKAGE}`);
    run("python3", "-m", "zipfile", "-e", join(folder, wheel), folder);
    return { version, list: JSON.parse(readFileSync(join(folder, LIST), "utf8")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
