import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Node, parseSync } from "oxc-parser";
import { walk } from "../openapi/schema-comments.ts";
import { ROOT } from "./files.ts";

const SOURCES = ["{services,scripts,tests,web}/**/*.{ts,tsx,mjs}", "docs/.vitepress/config.ts", "vitest.config.ts"];
const SKIPPED = /(?:^|\/)(?:node_modules|dist|generated|\.examples)\//;
const NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
const COMPOUND = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

const isProcessEnv = (node: Node): boolean =>
  node.type === "MemberExpression" &&
  node.object.type === "Identifier" &&
  node.object.name === "process" &&
  node.property.type === "Identifier" &&
  node.property.name === "env";

const isEnvironment = (node: Node): boolean =>
  isProcessEnv(node) || (node.type === "Identifier" && /^(?:env|environment)$/.test(node.name));

/** The name of a member or of a property, where the code states it. */
function nameOf(node: Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

/** What a file that reads a variable contains; most files do not and are not parsed. */
const CANDIDATE = /process\.env|\benv(?:ironment)?(?:\["|\.)[A-Z]/;

/** The variables that one file reads. */
export function listReads(path: string, source: string): Set<string> {
  if (!CANDIDATE.test(source)) return new Set();
  const names = new Set<string>();
  const texts = new Set<string>();
  let isComputed = false;
  const add = (name: string | undefined): void => void (name !== undefined && NAME.test(name) && names.add(name));
  walk(parseSync(path, source).program, (node) => {
    if (node.type === "Literal" && typeof node.value === "string" && COMPOUND.test(node.value)) texts.add(node.value);
    if (node.type === "MemberExpression" && isEnvironment(node.object)) {
      const name = node.computed && node.property.type === "Identifier" ? undefined : nameOf(node.property);
      if (name === undefined && isProcessEnv(node.object)) isComputed = true;
      add(name);
    }
    if (node.type === "VariableDeclarator" && node.init && isProcessEnv(node.init) && node.id.type === "ObjectPattern")
      for (const property of node.id.properties) if (property.type === "Property") add(nameOf(property.key));
  });
  // Names that a helper of the file gets as an argument.
  return isComputed ? new Set([...names, ...texts]) : names;
}

/** Every variable that the code of the repository, its compose file or its Makefile reads, with the files. */
export function listAllReads(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (name: string, path: string): void => void found.set(name, [...(found.get(name) ?? []), path]);
  for (const path of globSync(SOURCES, { cwd: ROOT }).filter((each) => !SKIPPED.test(each)))
    for (const name of listReads(path, readFileSync(join(ROOT, path), "utf8"))) add(name, path);
  const compose = readFileSync(join(ROOT, "docker/compose.yaml"), "utf8");
  for (const [, name = ""] of compose.matchAll(/\$\{([A-Z_]+)/g)) add(name, "docker/compose.yaml");
  const makefile = readFileSync(join(ROOT, "Makefile"), "utf8");
  const own = new Set([...makefile.matchAll(/^([A-Z_]+) :=/gm)].map(([, name = ""]) => name));
  for (const [, name = ""] of makefile.matchAll(/\$\(([A-Z_]+)\)/g))
    if (!own.has(name) && !/^(?:CURDIR|MAKEFILE_LIST)$/.test(name)) add(name, "Makefile");
  return found;
}
