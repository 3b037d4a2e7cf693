import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { listMetrics } from "../docs/metrics-page.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SKIPPED = new Set(["node_modules", "dist", "data", "data-test", ".git", ".turnpike"]);

/** Every file and folder of the repository, relative to its top. */
function listPaths(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [relative(ROOT, path), ...listPaths(path)] : [relative(ROOT, path)];
  });
}

const paths = listPaths(ROOT);
const known = new Set(paths);
const documents = paths.filter((path) => path.endsWith(".md"));

/** `{a,b}` becomes several texts. */
function expandBraces(text: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/.exec(text);
  if (!match) return [text];
  const [, before = "", choices = "", after = ""] = match;
  return choices.split(",").flatMap((choice) => expandBraces(before + choice + after));
}

const escapePattern = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The paths of the repository that a name stands for, exactly; `*` and `<name>` stand for any part of a name. */
function findPaths(name: string): string[] {
  if (!/[*<]/.test(name)) return known.has(name) ? [name] : [];
  const pattern = new RegExp(`^${escapePattern(name).replaceAll(/\*|<[^>]*>/g, "[^/]+")}$`);
  return paths.filter((path) => pattern.test(path));
}

/** The folders from which a document names paths: the repository, its own folder, and the sources of its package. */
function listBases(document: string): string[] {
  const folder = dirname(document);
  const [, owner = folder] = /^(services\/[^/]+|web|scripts|proto|deploy\/[^/]+)\//.exec(document) ?? [];
  return [...new Set([".", folder, `${folder}/src`, owner, `${owner}/src`])];
}

/**
 * The names in a text that are no path from one of `bases`. Each path that is found adds its folder: a name without a folder may be
 * that of a file next to one named before.
 */
function findMissing(text: string, bases: string[]): string[] {
  return namedPaths(text).filter((name) =>
    expandBraces(name.replace(/\/$/, "")).some((path) => {
      const found = bases.flatMap((base) => findPaths(base === "." ? path : join(base, path)));
      for (const each of found) bases.push(dirname(each), each);
      return found.length === 0;
    }),
  );
}

/** The names of a document that are no path, row by row; what the head of a table names holds for its rows. */
function findMissingPaths(document: string, text: string): string[] {
  return withoutCode(text)
    .split(/\n\s*\n/)
    .flatMap((block) => {
      const [first = "", ...rows] = block.split(block.startsWith("|") ? "\n" : /\n(?=[-\d])/);
      const bases = listBases(document);
      return [...findMissing(first, bases), ...rows.flatMap((row) => findMissing(row, [...bases]))];
    });
}

const TOP = new Set(readdirSync(ROOT));
const FILE = /\.(?:tsx?|mjs|json|jsonc|ya?ml|md|proto|tpl|Dockerfile)$/;
const PATH = /^[\w.@<>*{},-]+(?:\/[\w.@<>*{},-]+)*\/?$/;

/** Whether a text in backticks names a path of the repository, and not an address, a type or a file of an install. */
function isPath(text: string): boolean {
  if (!PATH.test(text) || /^(?:\.|@|application\/|text\/)/.test(text)) return false;
  return (
    FILE.test(text) ||
    (text.includes("/") && TOP.has(text.split("/", 1)[0] ?? "")) ||
    /^[\w-]+(?:\/[\w-]+)*\/$/.test(text)
  );
}

/** Files and folders that an install makes in DATA_DIR or a backup, and the prefix of aider's models. */
const NO_PATHS = new Set(
  "openai/,secrets.json,install.json,run/services.json,run/backing.json,mongodb/,redis/,nats/,spool/,logs/,dist/,web/dist,my-values.yaml".split(
    ",",
  ),
);

const withoutCode = (text: string): string => text.replaceAll(/```[\s\S]*?```/g, "");
const namedPaths = (text: string): string[] =>
  [...withoutCode(text).matchAll(/`([^`\n]+)`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => isPath(name) && !NO_PATHS.has(name));

/** GitHub's anchor of a heading. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .trim()
    .replaceAll(/\s/g, "-");

function isLinkThere(document: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, target))) return false;
  if (anchor === undefined) return true;
  const headings = [...readFileSync(join(ROOT, target), "utf8").matchAll(/^#+ (.*)$/gm)];
  return headings.some(([, heading = ""]) => toAnchor(heading) === anchor);
}

const targets = new Set(
  [...readFileSync(join(ROOT, "Makefile"), "utf8").matchAll(/^([a-z][\w-]*):/gm)].map(([, name = ""]) => name),
);
const npmScripts = new Set(
  paths
    .filter((path) => basename(path) === "package.json")
    .flatMap((path) => {
      const { scripts } = JSON.parse(readFileSync(join(ROOT, path), "utf8")) as { scripts?: Record<string, string> };
      return Object.keys(scripts ?? {});
    }),
);

/** "`symbol` in `file`" of a text, where the file is one of the repository's sources. */
function* listSymbols(document: string, text: string): Generator<{ symbol: string; files: string[] }> {
  const named = withoutCode(text).matchAll(
    /`([A-Za-z_$][\w$]*)`(?: \([^)]*\))? (?:in|of|from) `([\w./<>*{},-]+\.tsx?)`/g,
  );
  for (const [, symbol = "", name = ""] of named) {
    const bases = listBases(document);
    const files = expandBraces(name).flatMap((path) =>
      bases.flatMap((base) => findPaths(base === "." ? path : join(base, path))),
    );
    if (files.length > 0) yield { symbol, files };
  }
}

const METRIC = /\b(?:turnpike|gen_ai)_[a-z0-9_]+/g;

/** Every metric that the code of a service names, and those whose names it composes. */
const metrics = new Set([
  ...listMetrics().map(({ name }) => name),
  ...paths
    .filter((path) => /^services\/[^/]+\/src\/.*\.ts$/.test(path))
    .flatMap((path) => [...readFileSync(join(ROOT, path), "utf8").matchAll(METRIC)].map(([name]) => name)),
]);

describe.each(documents)("%s", (document) => {
  const text = readFileSync(join(ROOT, document), "utf8");

  it("links to files and headings that exist", () => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const local = links.filter((link) => !/^(?:https?|mailto):/.test(link));
    expect(local.filter((link) => !isLinkThere(document, link))).toEqual([]);
  });

  it("links a decision by its own number", () => {
    const named = [...text.matchAll(/\[decision (\d+)\]\([^)]*?(\d{3})-[^)/]*\)/g)];
    expect(named.filter(([, number, target]) => number !== target).map(([link]) => link)).toEqual([]);
  });

  it("names files and folders that exist", () => {
    expect(findMissingPaths(document, text)).toEqual([]);
  });

  it("names commands that exist", () => {
    const commands = [...text.matchAll(/`(make|npm run) ([a-z][\w:-]*)/g)];
    const unknown = commands.filter(([, program, name = ""]) =>
      program === "make" ? !targets.has(name) : !npmScripts.has(name),
    );
    expect(unknown.map(([command]) => command)).toEqual([]);
  });

  it("names symbols that the named file contains", () => {
    const missing = [...listSymbols(document, text)].filter(
      ({ symbol, files }) =>
        !files.some((file) =>
          new RegExp(`(?<![\\w$])${escapePattern(symbol)}(?![\\w$])`).test(readFileSync(join(ROOT, file), "utf8")),
        ),
    );
    expect(missing).toEqual([]);
  });

  it("names metrics that a service exports", () => {
    const named = [...withoutCode(text).matchAll(METRIC)].map(([name]) => name);
    expect(named.filter((name) => !metrics.has(name))).toEqual([]);
  });
});

it("has a line for every source folder in a README of its package", () => {
  const packages = [...readdirSync(join(ROOT, "services")).map((name) => `services/${name}`), "web"];
  const missing = packages.flatMap((name) => {
    const readmes = documents.filter((document) => document.startsWith(`${name}/`));
    const text = readmes.map((document) => readFileSync(join(ROOT, document), "utf8")).join("\n");
    const inFolders = paths.filter((path) => path.startsWith(`${name}/src/`) && path.endsWith(".ts"));
    const folders = new Set(inFolders.map((path) => dirname(path)).filter((path) => !/\/src$|__/.test(path)));
    return [...folders].filter((folder) => !new RegExp(`\\b${escapePattern(basename(folder))}[/\`]`).test(text));
  });
  expect(missing).toEqual([]);
});
