import { expect, it } from "vitest";
import { getLogRange, rangeStartSeconds } from "./log-range.ts";

it("searches all times for a request id, unless the address names a range", () => {
  expect(getLogRange({})).toBe("3d");
  expect(getLogRange({ request: "" })).toBe("3d");
  expect(getLogRange({ request: "01J" })).toBe("all");
  expect(getLogRange({ request: "01J", range: "7d" })).toBe("7d");
  expect(rangeStartSeconds("all", Date.now())).toBeUndefined();
});
