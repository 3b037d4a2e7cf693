import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addSection, type Fragment, getNextVersion, readFragments, writeSection } from "./changelog.ts";
import { runGit } from "./git.ts";

type Version = { readonly current: string; readonly next: string; readonly day: string };

const replaceIn = (path: string, replace: (text: string) => string): void => {
  writeFileSync(path, replace(readFileSync(path, "utf8")));
};

/** Writes the version into the packages of the repository, their entries of the lock file, and the chart. */
function stampVersion(root: string, { current, next }: Version): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { workspaces: string[] };
  const packages = ["package.json", ...workspaces.map((folder) => join(folder, "package.json"))];
  for (const path of packages)
    replaceIn(join(root, path), (text) => text.replace(`"version": "${current}"`, `"version": "${next}"`));
  replaceIn(join(root, "package-lock.json"), (text) => {
    const lock = JSON.parse(text) as { version?: string; packages: Record<string, { version?: string }> };
    lock.version = next;
    for (const path of ["", ...workspaces])
      if (lock.packages[path]?.version === current) lock.packages[path].version = next;
    return `${JSON.stringify(lock, undefined, 2)}\n`;
  });
  const chart = "deploy/helm/turnpike/Chart.yaml";
  replaceIn(join(root, chart), (text) =>
    text.replace(/^version: .*$/m, `version: ${next}`).replace(/^appVersion: .*$/m, `appVersion: "${next}"`),
  );
  return [...packages, "package-lock.json", chart];
}

/** Moves the fragments into CHANGELOG.md. */
function writeChangelog(root: string, { next, day }: Version, fragments: readonly Fragment[]): string[] {
  replaceIn(join(root, "CHANGELOG.md"), (text) => addSection(text, writeSection(next, day, fragments)));
  const moved = fragments.map(({ kind, name }) => join("changelog", kind, name));
  for (const path of moved) rmSync(join(root, path));
  return ["CHANGELOG.md", ...moved];
}

/**
 * Prepares a release of the current commit: the version that the fragments require, CHANGELOG.md, the stamped packages and chart, as one
 * commit with the tag `v<version>`. Returns the version. Throws when there are no fragments.
 */
export function prepareRelease(root: string, day: string): string {
  const { version: current } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const fragments = readFragments(join(root, "changelog"));
  const version = { current, next: getNextVersion(current, fragments), day };
  const changed = [...stampVersion(root, version), ...writeChangelog(root, version, fragments)];
  runGit(root, "add", "--", ...changed);
  runGit(root, "commit", "--quiet", "--message", `chore: release ${version.next}`);
  runGit(root, "tag", "--annotate", "--message", `Turnpike ${version.next}`, `v${version.next}`);
  return version.next;
}
