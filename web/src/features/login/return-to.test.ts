import { expect, it } from "vitest";
import { safeReturnTo } from "./return-to.ts";

it("returns to an address of this console", () => {
  expect(safeReturnTo("/app/wallet?page=2")).toBe("/app/wallet?page=2");
});

it("never leaves the site", () => {
  for (const address of [
    "https://elsewhere.example",
    "//elsewhere.example",
    "/\\elsewhere.example",
    "javascript:alert(1)",
  ]) {
    expect(safeReturnTo(address)).toBe("/app/tokens");
  }
});

it("does not come back to the sign-in page", () => {
  expect(safeReturnTo("/login?expired=true")).toBe("/app/tokens");
  expect(safeReturnTo(undefined)).toBe("/app/tokens");
});
