/**
 * The command `turnpike`: applies, compares and exports the declared configuration of a site, by `/api`. `turnpike apply -f site.yaml`
 * from a checkout is `npm run turnpike -- apply -f site.yaml`; the gateway's image contains it too.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { DeclaredDrift } from "@turnpike/contract/api/declared";
import { type Configuration, readConfiguration } from "./configuration.ts";
import { Console } from "./console.ts";
import { exportSite } from "./export.ts";
import { getFileSchema } from "./file-schema.ts";
import { createPlan } from "./plan/plan.ts";
import { applyConfiguration, reconcile } from "./reconcile.ts";
import { getCredentials, readCommandConfig } from "./command-config.ts";
import { readSite } from "./site.ts";
import type { SourceFile } from "./yaml-source.ts";

const USAGE = `turnpike apply -f FILE [-f FILE…] [--prune]   changes the site to what the files declare
turnpike diff -f FILE [-f FILE…] [--prune]    shows what apply would change; ends with 1 when it would
turnpike reconcile -f FILE [--interval 5] [--correct] [--prune]
                                              applies at changes of the files, and shows drift in the console
turnpike export                               prints the site as a file; secrets are references
turnpike schema                               prints the JSON schema of the files, for editors

A folder stands for its .yaml and .yml files. TURNPIKE_URL is the gateway's address (http://localhost:3000), TURNPIKE_TOKEN
an access token of root. Without --prune nothing is removed; with it, what an earlier apply declared and no file declares now.
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

class UsageError extends Error {}
class FileError extends Error {}

const SIGNS = { create: "+", update: "~", delete: "-" } as const;

function printChange({ kind, name, action, fields }: DeclaredDrift): void {
  print(`${SIGNS[action]} ${kind} ${name}`);
  for (const { field, declared, actual } of fields) print(`    ${field}: ${actual} → ${declared}`);
}

/** The paths with folders replaced by their files. */
function listFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => /\.ya?ml$/.test(name))
          .toSorted()
          .map((name) => join(path, name))
      : [path],
  );
}

/** Reads the files; throws a FileError that lists every problem with its line. */
function readFiles(paths: readonly string[]): Configuration {
  const files: SourceFile[] = listFiles(paths).map((name) => ({ name, text: readFileSync(name, "utf8") }));
  const { configuration, problems } = readConfiguration(files, process.env);
  if (problems.length === 0) return configuration;
  const lines = problems.map(({ place, message }) => `${place}: ${message}`);
  throw new FileError(`${lines.join("\n")}\n${problems.length} problems, nothing is applied`);
}

type Options = {
  readonly paths: readonly string[];
  readonly prune: boolean;
  readonly correct: boolean;
  readonly interval: number;
};

const openConsole = () => {
  const config = readCommandConfig();
  return new Console(config.TURNPIKE_URL.replace(/\/+$/, ""), getCredentials(config));
};

async function diff({ paths, prune }: Options): Promise<number> {
  const configuration = readFiles(paths);
  const { drifts, former } = await createPlan(openConsole(), configuration, { prune });
  drifts.forEach(printChange);
  if (!prune && former.length > 0) print(`${former.length} objects are no longer declared; --prune removes them`);
  print(drifts.length === 0 ? "the site is as declared" : `${drifts.length} changes`);
  return drifts.length === 0 ? 0 : 1;
}

async function apply({ paths, prune }: Options): Promise<number> {
  const configuration = readFiles(paths);
  const options = { prune, source: paths.join(", "), interval: 0 };
  const { plan, outcome } = await applyConfiguration(openConsole(), configuration, options);
  outcome.done.forEach(printChange);
  if (!prune && plan.former.length > 0)
    print(`${plan.former.length} objects are no longer declared; --prune removes them`);
  if (!outcome.failed) {
    print(outcome.done.length === 0 ? "the site is as declared" : `${outcome.done.length} changes applied`);
    return 0;
  }
  print(`FAILED: ${outcome.failed.message}`);
  outcome.failed.changes.forEach(printChange);
  if (outcome.skipped.length > 0) print("not attempted:");
  outcome.skipped.forEach(printChange);
  print(`${outcome.done.length} changes applied, ${outcome.failed.changes.length + outcome.skipped.length} not`);
  return 1;
}

async function runReconcile({ paths, prune, correct, interval }: Options): Promise<number> {
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
  const deps = { console: openConsole(), read: () => readFiles(paths), print, correct, signal: stop.signal };
  await reconcile(deps, { prune, source: paths.join(", "), interval });
  return 0;
}

function readArguments(args: readonly string[]): { readonly command: string; readonly options: Options } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      file: { type: "string", short: "f", multiple: true, default: [] },
      prune: { type: "boolean", default: false },
      correct: { type: "boolean", default: false },
      interval: { type: "string", default: "5" },
    },
  });
  const [command = "", ...rest] = positionals;
  const interval = Number(values.interval);
  if (rest.length > 0) throw new UsageError(`unexpected argument ${rest[0] ?? ""}`);
  if (!Number.isInteger(interval) || interval < 1 || interval > 3_600)
    throw new UsageError("--interval is a number of seconds from 1 to 3600");
  if (["apply", "diff", "reconcile"].includes(command) && values.file.length === 0)
    throw new UsageError(`${command} needs -f FILE`);
  return { command, options: { paths: values.file, prune: values.prune, correct: values.correct, interval } };
}

async function run(): Promise<number> {
  const { command, options } = readArguments(process.argv.slice(2));
  if (command === "apply") return apply(options);
  if (command === "diff") return diff(options);
  if (command === "reconcile") return runReconcile(options);
  if (command === "schema") {
    print(JSON.stringify(getFileSchema(), null, 2));
    return 0;
  }
  if (command !== "export")
    throw new UsageError(command === "" ? "a command is missing" : `unknown command ${command}`);
  process.stdout.write(exportSite(await readSite(openConsole(), undefined)));
  return 0;
}

process.exitCode = await run().catch((error: unknown) => {
  const isUsage = error instanceof UsageError || (error instanceof TypeError && "code" in error);
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${isUsage ? `\n${USAGE}` : ""}`);
  return 2;
});
