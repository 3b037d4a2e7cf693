import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { compareTrees, hashOfTree, hashTree } from "./file-tree.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-tree-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("compares two trees by content, mode and missing files", () => {
  for (const name of ["one", "two"]) {
    mkdirSync(join(folder, name, "deep"), { recursive: true });
    for (const file of ["deep/same", "mode", "text"]) writeFileSync(join(folder, name, file), file);
  }
  const hash = (name: string) => hashTree(join(folder, name));
  expect(compareTrees(hash("one"), hash("two"))).toEqual([]);
  expect(hashOfTree(hash("one"))).toBe(hashOfTree(hash("two")));
  chmodSync(join(folder, "two/mode"), 0o755);
  writeFileSync(join(folder, "two/text"), "other");
  writeFileSync(join(folder, "two/new"), "new");
  expect(compareTrees(hash("one"), hash("two"))).toEqual([
    "mode: another content",
    "new: only in one of them",
    "text: another content",
  ]);
});
