import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** The SHA-256 of each file below a folder, with its mode, by path. */
export function hashTree(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const mode = (statSync(path).mode & 0o777).toString(8);
      const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
      return [relative(folder, path), `${sha256} ${mode}`] as const;
    });
  return new Map(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** One hash of a whole tree. */
export const hashOfTree = (tree: ReadonlyMap<string, string>): string =>
  createHash("sha256")
    .update([...tree].map(([path, hash]) => `${hash}  ${path}\n`).join(""))
    .digest("hex");

/** The files that differ between two trees, each with how. */
export function compareTrees(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const paths = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  return paths.flatMap((path) => {
    const [first, second] = [one.get(path), other.get(path)];
    if (first === second) return [];
    return [`${path}: ${first === undefined || second === undefined ? "only in one of them" : "another content"}`];
  });
}
