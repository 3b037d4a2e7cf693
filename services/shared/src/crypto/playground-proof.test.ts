import { describe, expect, it } from "vitest";
import { makeClientAddressProof } from "./client-address-proof.ts";
import { makePlaygroundProof, readPlaygroundProof } from "./playground-proof.ts";

const SECRET = "internal-secret";
const NOW = 1_800_000_000;

describe("proof of the playground's user", () => {
  const header = makePlaygroundProof(SECRET, 7, NOW);

  it("names the user whom the gateway authenticated, for a minute", () => {
    expect(readPlaygroundProof(SECRET, header, NOW + 60)).toBe(7);
    expect(readPlaygroundProof(SECRET, header, NOW + 61)).toBeUndefined();
    expect(readPlaygroundProof(SECRET, header, NOW - 61)).toBeUndefined();
  });

  it.each([
    ["another user", header.replace(/^7/, "8")],
    ["another time", header.replace(String(NOW), String(NOW + 1))],
    ["the proof of an address", `7.${NOW}.${makeClientAddressProof(SECRET, `7 ${NOW}`)}`],
    ["another secret", makePlaygroundProof("guess", 7, NOW)],
    ["no proof", `7.${NOW}.`],
    ["nonsense", "x"],
  ])("refuses %s", (_, forged) => {
    expect(readPlaygroundProof(SECRET, forged, NOW)).toBeUndefined();
  });
});
