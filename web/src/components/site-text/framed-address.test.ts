import { expect, it } from "vitest";
import { getFrameAddress } from "./framed-address.ts";

it("frames an https address that stands alone", () => {
  expect(getFrameAddress(" https://example.com/welcome?x=1 ")).toBe("https://example.com/welcome?x=1");
});

it("does not frame other texts", () => {
  for (const text of [
    "",
    "http://example.com",
    "javascript:alert(1)",
    "see https://example.com",
    "https://a b",
    "https://",
  ])
    expect(getFrameAddress(text)).toBeUndefined();
});
