import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Checks the contracts: lint, no breaking change against the last release and the main branch, generated code up to
 * date. Exits 1 and lists the problems. The contracts of the release are stored in the repository (`make proto-release`
 * writes them), so that no Git history is needed.
 */
const root = resolve(import.meta.dirname, "..");
const protoFolder = join(root, "proto");
const buf = join(root, "node_modules/.bin/buf");
const draft = mkdtempSync(join(tmpdir(), "turnpike-proto-"));

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], timeout: 120_000 });

/** The commit of main to compare with; undefined in a checkout without main, or if main has no contracts yet. */
function baseline(): string | undefined {
  for (const reference of ["origin/main", "main"]) {
    try {
      execFileSync("git", ["cat-file", "-e", `${reference}:proto/buf.yaml`], { cwd: root, stdio: "ignore" });
      return reference;
    } catch {
      // Not in this checkout: try the next one.
    }
  }
  return undefined;
}

const RELEASED = join(protoFolder, "released.binpb");

function checkRelease(): void {
  process.stdout.write(run(buf, ["breaking", "--against", RELEASED], protoFolder));
}

function checkBreaking(): void {
  const reference = baseline();
  if (reference === undefined) return console.log("contracts: no main branch to compare with");
  const folder = join(draft, "baseline");
  mkdirSync(folder);
  execFileSync("tar", ["-x", "-C", folder], {
    input: execFileSync("git", ["archive", reference, "proto"], { cwd: root, maxBuffer: 64 * 1024 ** 2 }),
  });
  process.stdout.write(run(buf, ["breaking", "--against", join(folder, "proto")], protoFolder));
}

function getFiles(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

function staleFiles(): string[] {
  cpSync(join(protoFolder, "buf.gen.yaml"), join(draft, "buf.gen.yaml"));
  run(buf, ["generate", "--output", draft], protoFolder);
  const fresh = getFiles(join(draft, "gen"));
  const committed = getFiles(join(protoFolder, "gen"));
  return [...new Set([...fresh.keys(), ...committed.keys()])].filter((name) => fresh.get(name) !== committed.get(name));
}

function check(): void {
  run(buf, ["lint"], protoFolder);
  checkRelease();
  checkBreaking();
  const stale = staleFiles();
  if (stale.length > 0) throw new Error(`run "make proto": generated code is stale:\n  ${stale.join("\n  ")}`);
  console.log("contracts: lint, compatibility and generated code are right");
}

try {
  if (process.argv.includes("--release")) run(buf, ["build", "--exclude-source-info", "-o", RELEASED], protoFolder);
  else check();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(draft, { recursive: true, force: true });
}
