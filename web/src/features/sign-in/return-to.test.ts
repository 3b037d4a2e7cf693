import { expect, it } from "vitest";
import { toSafeReturnAddress } from "./return-to.ts";

it("returns to an address of this console", () => {
  expect(toSafeReturnAddress("/app/wallet?page=2")).toBe("/app/wallet?page=2");
});

it("never leaves the site", () => {
  for (const address of [
    "https://elsewhere.example",
    "//elsewhere.example",
    "/\\elsewhere.example",
    "javascript:alert(1)",
  ]) {
    expect(toSafeReturnAddress(address)).toBe("/app/tokens");
  }
});

it("does not come back to the sign-in page", () => {
  expect(toSafeReturnAddress("/login?expired=true")).toBe("/app/tokens");
  expect(toSafeReturnAddress(undefined)).toBe("/app/tokens");
});
