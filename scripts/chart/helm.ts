import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";
import { findOnPath } from "../backing/find-on-path.ts";
import { passingFolder } from "../process/passing-folder.ts";

/** The chart's folder. */
export const CHART = join(resolve(import.meta.dirname, "../.."), "deploy/helm/turnpike");

/** One rendered resource, with the fields that the checks read. */
export type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: Readonly<Record<string, unknown>>;
  /** Of a Role. */
  readonly rules?: unknown;
};

const TIMEOUT_MS = 60_000;
const helm = findOnPath("helm") ?? "";

/** Runs helm; throws with its output. */
export function runHelm(...args: readonly string[]): string {
  if (helm === "") throw new Error("helm is not installed: https://helm.sh/docs/intro/install");
  try {
    return execFileSync(helm, args, {
      encoding: "utf8",
      timeout: TIMEOUT_MS,
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 32 * 1024 ** 2,
    });
  } catch (error) {
    const reported = (error as { stderr?: string }).stderr;
    throw new Error(reported === undefined || reported === "" ? String(error) : reported, { cause: error });
  }
}

const folder = passingFolder("chart");
let files = 0;

/** Writes a values file. */
export function valuesFile(values: unknown): string {
  const path = join(folder, `${files++}.json`);
  writeFileSync(path, JSON.stringify(values));
  return path;
}

/** The rendered chart for these values files; later files override earlier ones. */
export const renderText = (files: readonly string[], ...more: readonly string[]): string =>
  runHelm("template", "trial", CHART, ...files.flatMap((file) => ["--values", file]), ...more);

/** The rendered resources. */
export const render = (files: readonly string[], ...more: readonly string[]): Manifest[] =>
  parseAllDocuments(renderText(files, ...more))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
