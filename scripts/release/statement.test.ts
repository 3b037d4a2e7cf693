import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createProvenance, toChecksums, toSubject } from "./statement.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-release-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("checksums and provenance name every file by its SHA-256", () => {
  const path = join(folder, "a.txt");
  writeFileSync(path, "abc");
  const subject = toSubject(path);
  const sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(subject).toEqual({ name: "a.txt", digest: { sha256 } });
  expect(toChecksums([subject])).toBe(`${sha256}  a.txt\n`);
  const build = { version: "1.2.3", revision: "abc", repository: "r", builder: "b", startedAt: "s", finishedAt: "f" };
  expect(createProvenance([subject], build)).toMatchObject({
    _type: "https://in-toto.io/Statement/v1",
    subject: [subject],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: { resolvedDependencies: [{ uri: "git+r", digest: { gitCommit: "abc" } }] },
      runDetails: { builder: { id: "b" } },
    },
  });
});
