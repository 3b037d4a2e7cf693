import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createLookupHash } from "./secret-box.ts";
import { getKeyHashes, hashForeignDigest, isForeignKey, isOwnKey } from "./token-key-hash.ts";

const hash = createLookupHash("master-key-of-this-test");
const OWN = "Ab3".repeat(16);
const FOREIGN = "sk-4Xk_9vQ-2mB7Zt0aLcYpRw";
const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

it("finds a token by the SHA-256 of the key that another gateway made", () => {
  expect(getKeyHashes(hash, FOREIGN)).toEqual({ own: "", foreign: hashForeignDigest(hash, digest(FOREIGN)) });
  expect(hashForeignDigest(hash, digest(FOREIGN).toUpperCase())).toBe(hashForeignDigest(hash, digest(FOREIGN)));
});

it("finds an imported key of the form that this gateway makes by both hashes", () => {
  expect(getKeyHashes(hash, OWN)).toEqual({ own: hash(OWN), foreign: hashForeignDigest(hash, digest(`sk-${OWN}`)) });
});

it.each([
  [OWN, true, false],
  [FOREIGN, false, true],
  ["sk-short", false, false],
  [`${FOREIGN} x`, false, false],
  [`sk-${"x".repeat(254)}`, false, false],
])("distinguishes the forms of keys: %s", (text, own, foreign) => {
  expect([isOwnKey(text), isForeignKey(text)]).toEqual([own, foreign]);
});
