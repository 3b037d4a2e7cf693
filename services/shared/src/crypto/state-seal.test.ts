import { describe, expect, it } from "vitest";
import { toLookupPart } from "./secret-box.ts";
import { createStateSeal } from "./state-seal.ts";

const seal = createStateSeal("a master key of sixteen or more");
const value = Buffer.from("resp_68a1");

describe("sealed state", () => {
  it("is the same text for the same value, and opens on every relay", () => {
    const sealed = seal.seal("id", value);
    expect(seal.seal("id", value)).toBe(sealed);
    expect(createStateSeal("a master key of sixteen or more").open("id", sealed)).toEqual(value);
    expect(Buffer.from(sealed, "base64url").includes(value)).toBe(false);
  });

  it("opens after a rotation of the master key, and the fingerprint of a secret stays when the old key was removed", () => {
    const keys = "another master key of that length,a master key of sixteen or more";
    const rotated = createStateSeal(keys);
    const last = createStateSeal(`another master key of that length,${toLookupPart(keys)}`);
    expect(last.open("id", rotated.seal("id", value))).toEqual(value);
    expect(last.fingerprint("sk-1")).toEqual(seal.fingerprint("sk-1"));
    expect(rotated.open("id", seal.seal("id", value))).toEqual(value);
    expect(rotated.fingerprint("sk-1")).toEqual(seal.fingerprint("sk-1"));
    expect(seal.open("id", rotated.seal("id", value))).toBeUndefined();
  });

  it("does not open if it is altered, truncated, padded, empty or for another purpose", () => {
    const sealed = seal.seal("id", value);
    const altered = Array.from(sealed, (_, at) => {
      const other = sealed[at] === "A" ? "B" : "A";
      return sealed.slice(0, at) + other + sealed.slice(at + 1);
    });
    const forms = [
      ...altered,
      sealed.slice(0, -1),
      sealed.slice(0, 20),
      `${sealed}=`,
      `${sealed} `,
      `${sealed}A`,
      "",
      "A",
    ];
    expect(forms.filter((form) => seal.open("id", form) !== undefined)).toEqual([]);
    expect(seal.open("content", sealed)).toBeUndefined();
  });
});
