import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The kinds of changes, which are the folders of `changelog/`, and their headings, in their order. */
export const KINDS = { added: "Added", changed: "Changed", fixed: "Fixed", security: "Security" } as const;
export type Kind = keyof typeof KINDS;

/** A change as users read it: one paragraph. */
export type Fragment = {
  readonly kind: Kind;
  readonly name: string;
  readonly text: string;
  readonly isBreaking: boolean;
};

const BREAKING = "Breaking:";

/** Reads the fragments below a folder, in the order of their names. Throws for an empty one, a heading, and a folder of another name. */
export function readFragments(folder: string): Fragment[] {
  const unknown = readdirSync(folder, { withFileTypes: true }).find(
    (entry) => entry.isDirectory() && !Object.hasOwn(KINDS, entry.name),
  );
  if (unknown) throw new Error(`changelog/${unknown.name}: use one of ${Object.keys(KINDS).join(", ")}`);
  return (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const names = existsSync(join(folder, kind))
      ? readdirSync(join(folder, kind)).filter((name) => name.endsWith(".md"))
      : [];
    return names.toSorted().map((name) => {
      const text = readFileSync(join(folder, kind, name), "utf8").trim();
      if (text === "" || /^#|\n\s*\n/m.test(text)) throw new Error(`changelog/${kind}/${name}: write one paragraph`);
      return { kind, name, text: text.replaceAll(/\s*\n\s*/g, " "), isBreaking: text.startsWith(BREAKING) };
    });
  });
}

/**
 * The version after `current` (https://semver.org): a breaking change raises the first number, an added or changed one the second,
 * others the third. Below 1.0.0 a breaking change raises the second.
 */
export function getNextVersion(current: string, fragments: readonly Fragment[]): string {
  const [major = 0, minor = 0, patch = 0] = current.split(".").map(Number);
  if (fragments.length === 0) throw new Error("changelog/ has no fragments: there is nothing to release");
  const isBreaking = fragments.some((fragment) => fragment.isBreaking);
  if (isBreaking && major > 0) return `${major + 1}.0.0`;
  const isMinor = isBreaking || fragments.some(({ kind }) => kind === "added" || kind === "changed");
  return isMinor ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** The section of a version in CHANGELOG.md; breaking changes come first in their list. */
export function writeSection(version: string, day: string, fragments: readonly Fragment[]): string {
  const lists = (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const own = fragments.filter((fragment) => fragment.kind === kind);
    const sorted = [...own.filter(({ isBreaking }) => isBreaking), ...own.filter(({ isBreaking }) => !isBreaking)];
    return own.length === 0 ? [] : [`### ${KINDS[kind]}\n\n${sorted.map(({ text }) => `- ${text}\n`).join("")}`];
  });
  return `## ${version} (${day})\n\n${lists.join("\n")}`;
}

/** CHANGELOG.md with one more section, before the newest one. Throws when it has the version already. */
export function addSection(changelog: string, section: string): string {
  const [heading = ""] = section.split(" (", 1);
  if (changelog.includes(`\n${heading} (`)) throw new Error(`CHANGELOG.md has ${heading.slice(3)} already`);
  const at = changelog.search(/^## /m);
  return at < 0
    ? `${changelog.trimEnd()}\n\n${section}`
    : `${changelog.slice(0, at)}${section}\n${changelog.slice(at)}`;
}
