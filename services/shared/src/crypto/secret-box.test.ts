import { describe, expect, it } from "vitest";
import { createLookupHash, createSecretBox, toLookupPart } from "./secret-box.ts";

const OLD = "a".repeat(64);
const NEW = "b".repeat(64);

describe("secret box", () => {
  it("decrypts what it encrypted and never encrypts the same way twice", () => {
    const box = createSecretBox(OLD);
    expect(box.open(box.seal("sk-密钥"))).toBe("sk-密钥");
    expect(box.seal("x")).not.toBe(box.seal("x"));
  });

  it("decrypts old values after a key is put before the old one", () => {
    const sealed = createSecretBox(OLD).seal("secret");
    expect(createSecretBox(`${NEW},${OLD}`).open(sealed)).toBe("secret");
    expect(() => createSecretBox(NEW).open(sealed)).toThrow(/not configured/);
  });

  it("refuses an altered value", () => {
    const sealed = createSecretBox(OLD).seal("secret");
    const [id, nonce, text = ""] = sealed.split(".");
    const other = text.startsWith("A") ? "B" : "A";
    expect(() => createSecretBox(OLD).open(`${id}.${nonce}.${other}${text.slice(1)}`)).toThrow(/authenticate/);
  });

  it("keeps lookup hashes after a rotation", () => {
    expect(createLookupHash(`${NEW},${OLD}`)("sk-1")).toBe(createLookupHash(OLD)("sk-1"));
    expect(createLookupHash(NEW)("sk-1")).not.toBe(createLookupHash(OLD)("sk-1"));
  });

  it("can rotate while processes of neighbouring steps run side by side, until the oldest key is removed", () => {
    const lookup = toLookupPart(`${NEW},${OLD}`);
    const steps = [OLD, `${OLD},${NEW},${OLD}`, `${NEW},${OLD}`, `${NEW},${lookup}`];
    for (const step of steps) expect(createLookupHash(step)("sk-1")).toBe(createLookupHash(OLD)("sk-1"));
    for (const [index, step] of steps.entries()) {
      const neighbours = steps.slice(Math.max(0, index - 1), index + 2);
      const opened = neighbours.map((neighbour) => createSecretBox(step).open(createSecretBox(neighbour).seal("text")));
      expect(opened).toEqual(neighbours.map(() => "text"));
    }
    expect(() => createSecretBox(`${NEW},${lookup}`).open(createSecretBox(OLD).seal("text"))).toThrow("not configured");
    expect(toLookupPart(`${NEW},${lookup}`)).toBe(lookup);
    expect(() => createLookupHash(`${NEW},lookup:short`)).toThrow("32 bytes");
  });
});
