import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { addSection, type Fragment, getNextVersion, type Kind, readFragments, writeSection } from "./changelog.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-changelog-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fragment = (kind: Kind, text = "A change."): Fragment => ({
  kind,
  name: "change.md",
  text,
  isBreaking: text.startsWith("Breaking:"),
});

describe("changelog", () => {
  it("of this repository can be read", () => {
    expect(() => readFragments(join(import.meta.dirname, "../../changelog"))).not.toThrow();
  });

  it.each<[string, Fragment[], string]>([
    ["1.4.2", [fragment("fixed"), fragment("security")], "1.4.3"],
    ["1.4.2", [fragment("fixed"), fragment("added")], "1.5.0"],
    ["1.4.2", [fragment("changed")], "1.5.0"],
    ["1.4.2", [fragment("fixed", "Breaking: the field is a number.")], "2.0.0"],
    ["0.4.2", [fragment("fixed", "Breaking: the field is a number.")], "0.5.0"],
    ["0.4.2", [fragment("fixed")], "0.4.3"],
  ])("follows %s by the version that its changes require", (current, fragments, next) => {
    expect(getNextVersion(current, fragments)).toBe(next);
  });

  it("refuses a release without changes", () => {
    expect(() => getNextVersion("1.0.0", [])).toThrow("nothing to release");
  });

  it("gets a section with a list of each kind, breaking changes first", () => {
    const fragments = [fragment("added", "New."), fragment("fixed", "Right."), fragment("fixed", "Breaking: strict.")];
    const section = writeSection("1.2.0", "2026-11-29", fragments);
    expect(section).toBe(
      "## 1.2.0 (2026-11-29)\n\n### Added\n\n- New.\n\n### Fixed\n\n- Breaking: strict.\n- Right.\n",
    );
    const first = addSection("# Changelog\n\nText.\n", "## 1.1.0 (2026-11-01)\n\n### Fixed\n\n- Right.\n");
    expect(addSection(first, section)).toBe(
      `# Changelog\n\nText.\n\n${section}\n## 1.1.0 (2026-11-01)\n\n### Fixed\n\n- Right.\n`,
    );
    expect(() => addSection(first, "## 1.1.0 (2026-11-29)\n\n- Again.\n")).toThrow("has 1.1.0 already");
  });

  it.each([
    ["fixed", "empty.md", "", "write one paragraph"],
    ["fixed", "heading.md", "# Fixed", "write one paragraph"],
    ["fixed", "paragraphs.md", "One.\n\nTwo.", "write one paragraph"],
    ["repaired", "change.md", "One.", "use one of added, changed, fixed, security"],
  ])("refuses changelog/%s/%s", (kind, name, text, message) => {
    const root = mkdtempSync(join(folder, "case-"));
    mkdirSync(join(root, kind));
    writeFileSync(join(root, kind, name), text);
    expect(() => readFragments(root)).toThrow(message);
  });
});
