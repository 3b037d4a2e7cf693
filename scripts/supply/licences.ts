import type { LockedPackage } from "./lock-file.ts";

/** Licences that allow shipping with Turnpike (Apache-2.0). OFL-1.1 covers fonts of the console. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "Python-2.0",
  "Unlicense",
]);
/** File-level copyleft: allowed for tools that build and test, and are not shipped. */
const ALLOWED_FOR_TOOLS = new Set([...ALLOWED, "MPL-2.0"]);

const REFUSED = "refused";

/** Packages whose lock file entry has no licence, with the one that their own files state. */
const STATED: Readonly<Record<string, string>> = { buildcheck: "MIT", "cpu-features": "MIT", ssh2: "MIT" };

/** An SPDX expression with its innermost parentheses replaced by a licence that is allowed or refused. */
function resolveParentheses(expression: string, allowed: ReadonlySet<string>): string {
  const inner = /\(([^()]*)\)/.exec(expression);
  if (!inner) return expression;
  const [part, content = ""] = inner;
  const [stand = ""] = isAllowed(content, allowed) ? allowed : [REFUSED];
  return resolveParentheses(expression.replace(part, stand), allowed);
}

/** Whether an SPDX expression allows use under licences of the set: one of each OR, all of each AND. */
export function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  return resolveParentheses(expression, allowed)
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((name) => allowed.has(name.replace(/\s+WITH\s+.*$/, "").trim())));
}

/** The licence of a package as an SPDX expression; undefined if none is stated. */
export const readLicence = ({ name, licence }: LockedPackage): string | undefined => licence ?? STATED[name];

/** The packages by licence, and those that the allow-list does not cover. */
export function checkLicences(packages: readonly LockedPackage[], scope: "shipped" | "all") {
  const allowed = scope === "shipped" ? ALLOWED : ALLOWED_FOR_TOOLS;
  const counts = new Map<string, number>();
  const refused: string[] = [];
  for (const one of packages) {
    const licence = readLicence(one) ?? "none";
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
    if (!isAllowed(licence, allowed)) refused.push(`${one.name}@${one.version}: ${licence}`);
  }
  return { counts, refused };
}
