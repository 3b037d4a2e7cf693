import { describe, expect, it } from "vitest";
import { createLookupHash, createSecretBox } from "./secret-box.ts";

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

  it("keeps lookup hashes over a rotation", () => {
    expect(createLookupHash(`${NEW},${OLD}`)("sk-1")).toBe(createLookupHash(OLD)("sk-1"));
    expect(createLookupHash(NEW)("sk-1")).not.toBe(createLookupHash(OLD)("sk-1"));
  });
});
