import { readdirSync } from "node:fs";

/**
 * Floors: the folders of a package in their order. A folder imports from lower floors and from itself only, types included. Each
 * package declares its floors in `scripts/lint/floors/<package>.mjs`:
 *
 * - `root`: the folder that holds them, relative to the repository.
 * - `floors`: lists of folders, lowest floor first. Folders in one list do not import each other. `name/*` stands for each sub-folder
 *   of `name` that no floor names itself, `name/.` for the files that lie directly in `name`, `name.ts` for a file directly in `root`.
 *
 * Other files directly in `root` are the top floor.
 */
const folder = new URL("scripts/lint/floors/", import.meta.url);
const packages = await Promise.all(
  readdirSync(folder)
    .filter((file) => file.endsWith(".mjs"))
    .map(async (file) => (await import(new URL(file, folder).href)).default),
);

const escape = (text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");

/** The path pattern of one entry; `name/*` captures the sub-folder's name as group 1. */
function toPattern({ root, floors }, entry) {
  if (entry.endsWith(".ts")) return `^${escape(root)}/${escape(entry)}$`;
  const path = `^${escape(root)}/${escape(entry.replace(/\/[.*]$/, ""))}/`;
  if (entry.endsWith("/.")) return `${path}[^/]+$`;
  if (!entry.endsWith("/*")) return path;
  const parent = entry.slice(0, -1);
  const named = floors.flat().filter((other) => other !== entry && other.startsWith(parent) && !other.endsWith("/."));
  const others = named.map((other) => escape(other.slice(parent.length).split("/")[0]));
  return `${path}${others.length > 0 ? `(?!(?:${others.join("|")})/)` : ""}([^/]+)/`;
}

/** The path pattern of the files directly in the root that no floor names. */
function toTopPattern({ root, floors }) {
  const named = floors.flat().filter((entry) => entry.endsWith(".ts"));
  return `^${escape(root)}/${named.length > 0 ? `(?!(?:${named.map(escape).join("|")})$)` : ""}[^/]+$`;
}

/** The rules of one package. */
function toRules(pack) {
  const { root, floors } = pack;
  const rules = [];
  for (const [level, floor] of floors.entries()) {
    for (const entry of floor) {
      const others = [...floors.slice(level + 1).flat(), ...floor.filter((other) => other !== entry)];
      rules.push({
        name: `floors: ${root}/${entry} imports from lower floors only`,
        severity: "error",
        from: { path: toPattern(pack, entry) },
        to: { path: [...others.map((other) => toPattern(pack, other)), toTopPattern(pack)] },
      });
      if (entry.endsWith("/*"))
        rules.push({
          name: `floors: the folders of ${root}/${entry} do not import each other`,
          severity: "error",
          from: { path: toPattern(pack, entry) },
          to: { path: toPattern(pack, entry), pathNot: `^${escape(root)}/${escape(entry.slice(0, -1))}$1/` },
        });
    }
  }
  return rules;
}

export default {
  forbidden: [
    ...packages.flatMap(toRules),
    ...packages.map((pack) => ({
      name: `floors: every folder of ${pack.root} has a floor`,
      comment: "A new folder is added to the package's file in scripts/lint/floors.",
      severity: "error",
      from: {
        path: `^${escape(pack.root)}/[^/]+/`,
        pathNot: pack.floors.flat().map((entry) => toPattern(pack, entry)),
      },
      to: {},
    })),
    {
      name: "no-other-service",
      comment: "A package imports files of its own folder by path; shared, contract and protos by their package names.",
      severity: "error",
      from: { path: "^(services/[^/]+|web)/" },
      to: { path: "^(services/[^/]+|web)/", pathNot: "^$1/" },
    },
    {
      name: "no-file-cycle",
      comment: "Types count: what two files need of each other is a third file below them.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-folder-cycle",
      comment: "Two folders that need each other are one folder, or lack a third one below them.",
      severity: "error",
      scope: "folder",
      from: { path: packages.map(({ root }) => `^${escape(root)}/`) },
      to: { circular: true },
    },
  ],
  options: {
    // swc reports type imports as well; `tsPreCompilationDeps` asks for a JavaScript API that TypeScript 7 does not have.
    parser: "swc",
    webpackConfig: { fileName: "scripts/lint/aliases.mjs" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx"] },
    doNotFollow: { path: ["node_modules", "^proto/gen"] },
    exclude: { path: ["\\.test\\.tsx?$", "__fixtures__", "/sdk-coverage/"] },
  },
};
