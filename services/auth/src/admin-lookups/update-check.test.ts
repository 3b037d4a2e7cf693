import { describe, expect, it } from "vitest";
import { isNewer } from "./update-check.ts";

describe("release version", () => {
  it.each([
    ["v1.2.4", "1.2.3", true],
    ["1.3", "1.2.9", true],
    ["v1.10.0", "v1.9.9", true],
    ["v1.2.3", "1.2.3", false],
    ["v1.2", "1.2.1", false],
    ["v1.0.0", "1.0.0-rc.1", true],
    ["v1.0.0-rc.1", "1.0.0", false],
    ["nightly", "0.1.0", false],
  ])("reports whether %s is newer than %s: %s", (latest, current, expected) => {
    expect(isNewer(latest, current)).toBe(expected);
  });
});
