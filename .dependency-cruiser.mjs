// Import rules of every package that has a file in scripts/lint/floors, type imports included.
import { readdirSync } from "node:fs";

const FLOORS = new URL("./scripts/lint/floors/", import.meta.url);

const escape = (path) => path.replaceAll(/[.\\+?^${}()|[\]]/g, String.raw`\$&`);
const toPattern = (root, names) => `^${escape(root)}/(?:${names.map(escape).join("|")})(?:/|$)`;

/** Rules against imports from a higher floor. */
const toUpwardRules = ({ root, floors }) =>
  floors.slice(0, -1).map((names, index) => ({
    name: `${root}: ${names.join(", ")} must not import a higher floor`,
    severity: "error",
    from: { path: toPattern(root, names) },
    to: { path: toPattern(root, floors.slice(index + 1).flat()) },
  }));

/** Rules against imports between sibling folders, such as two features. */
const toExclusiveRules = ({ root, exclusive = [] }) =>
  exclusive.flat().map((pattern) => {
    const group = escape(pattern).replaceAll("*", "([^/]+)");
    return {
      name: `${root}: ${pattern} must not import each other`,
      severity: "error",
      from: { path: `^${escape(root)}/${group}/` },
      to: {
        path: `^${escape(root)}/${group.replace("([^/]+)", "[^/]+")}/`,
        pathNot: `^${escape(root)}/${group.replace("([^/]+)", "$1")}/`,
      },
    };
  });

const packages = await Promise.all(
  readdirSync(FLOORS)
    .filter((file) => file.endsWith(".mjs"))
    .map(async (file) => (await import(new URL(file, FLOORS))).default),
);

export default {
  forbidden: [
    ...packages.flatMap((one) => [...toUpwardRules(one), ...toExclusiveRules(one)]),
    ...packages.map(({ root }) => ({
      name: `${root}: no folder cycle`,
      severity: "error",
      scope: "folder",
      from: { path: `^${escape(root)}(?:/|$)` },
      to: { circular: true },
    })),
  ],
  options: {
    // swc reports type imports as well. tsPreCompilationDeps asks for the JavaScript API that TypeScript 7 does not have.
    parser: "swc",
    includeOnly: packages.map(({ root }) => `^${escape(root)}/`),
    webpackConfig: { fileName: "scripts/lint/aliases.mjs" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx"] },
  },
};
