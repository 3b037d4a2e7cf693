import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { prepareRelease } from "./preparation.ts";

const root = mkdtempSync(join(tmpdir(), "turnpike-preparation-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const write = (path: string, content: string | object): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
};

it("a release is one tagged commit with its changelog, its packages and its chart", () => {
  write("package.json", { name: "site", version: "1.0.0", workspaces: ["web"] });
  write("web/package.json", { name: "web", version: "1.0.0" });
  const others = { "node_modules/zod": { version: "1.0.0" } };
  write("package-lock.json", {
    version: "1.0.0",
    packages: { "": { version: "1.0.0" }, web: { version: "1.0.0" }, ...others },
  });
  write("deploy/helm/turnpike/Chart.yaml", 'apiVersion: v2\nversion: 1.0.0\nappVersion: "1.0.0"\n');
  write("CHANGELOG.md", "# Changelog\n");
  write("changelog/added/models.md", "More models.\n");
  git("init", "--quiet");
  git("config", "user.name", "Release");
  git("config", "user.email", "release@example.com");
  git("add", ".");
  git("commit", "--quiet", "--message", "first");

  expect(prepareRelease(root, "2026-11-29")).toBe("1.1.0");

  expect(git("status", "--porcelain")).toBe("");
  expect(git("describe", "--exact-match")).toBe("v1.1.0");
  expect(git("log", "-1", "--format=%s")).toBe("chore: release 1.1.0");
  expect(read("CHANGELOG.md")).toBe("# Changelog\n\n## 1.1.0 (2026-11-29)\n\n### Added\n\n- More models.\n");
  expect(existsSync(join(root, "changelog/added/models.md"))).toBe(false);
  expect(read("deploy/helm/turnpike/Chart.yaml")).toBe('apiVersion: v2\nversion: 1.1.0\nappVersion: "1.1.0"\n');
  expect(
    ["package.json", "web/package.json"].map((path) => (JSON.parse(read(path)) as { version: string }).version),
  ).toEqual(["1.1.0", "1.1.0"]);
  expect(JSON.parse(read("package-lock.json"))).toEqual({
    version: "1.1.0",
    packages: { "": { version: "1.1.0" }, web: { version: "1.1.0" }, ...others },
  });
  expect(() => prepareRelease(root, "2026-11-30")).toThrow("nothing to release");
});
