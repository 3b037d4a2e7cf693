import { expect, it } from "vitest";
import { hostOnly, isMailRequired, payAddress } from "./setting-checks.ts";

const empty = (): string => "";
const filled = (): string => "something";

it("accepts addresses without the path of the API", () => {
  expect(hostOnly("https://example.com/v1")).toBeDefined();
  expect(hostOnly("https://example.com")).toBeUndefined();
});

it("refuses settings that cannot work on this site yet", () => {
  expect(payAddress("https://pay.example.com", empty)).toBeDefined();
  expect(payAddress("", empty)).toBeUndefined();
  expect(payAddress("https://pay.example.com", filled)).toBeUndefined();
  expect(isMailRequired("true", empty)).toBeDefined();
  expect(isMailRequired("false", empty)).toBeUndefined();
  expect(isMailRequired("true", filled)).toBeUndefined();
});
