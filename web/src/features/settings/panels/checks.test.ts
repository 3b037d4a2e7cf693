import { expect, it } from "vitest";
import { hostOnly, needsMail, payAddress } from "./checks.ts";

const empty = (): string => "";
const filled = (): string => "something";

it("takes addresses without the path of the API", () => {
  expect(hostOnly("https://example.com/v1")).toBeDefined();
  expect(hostOnly("https://example.com")).toBeUndefined();
});

it("refuses what could not work on this site yet", () => {
  expect(payAddress("https://pay.example.com", empty)).toBeDefined();
  expect(payAddress("", empty)).toBeUndefined();
  expect(payAddress("https://pay.example.com", filled)).toBeUndefined();
  expect(needsMail("true", empty)).toBeDefined();
  expect(needsMail("false", empty)).toBeUndefined();
  expect(needsMail("true", filled)).toBeUndefined();
});
