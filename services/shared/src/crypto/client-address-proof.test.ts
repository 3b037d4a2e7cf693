import { describe, expect, it } from "vitest";
import { makeClientAddressProof, verifyClientAddressProof } from "./client-address-proof.ts";

const SECRET = "a secret of 16 characters or more";

describe("proof of a client address", () => {
  it("is valid for the address it was made for", () => {
    expect(verifyClientAddressProof(SECRET, "203.0.113.7", makeClientAddressProof(SECRET, "203.0.113.7"))).toBe(true);
  });
  it("is invalid for another address, another secret, and malformed text", () => {
    const proof = makeClientAddressProof(SECRET, "203.0.113.7");
    expect(verifyClientAddressProof(SECRET, "203.0.113.8", proof)).toBe(false);
    expect(verifyClientAddressProof("another secret altogether", "203.0.113.7", proof)).toBe(false);
    expect(verifyClientAddressProof(SECRET, "203.0.113.7", "")).toBe(false);
    expect(verifyClientAddressProof(SECRET, "203.0.113.7", "ü".repeat(32))).toBe(false);
  });
});
