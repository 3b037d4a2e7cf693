import { describe, expect, it } from "vitest";
import { commonName, ownNames } from "./tool-names.ts";

const LONG = `mcp__files__${"x".repeat(100)}`;

describe("tool names", () => {
  it.each([LONG, `${LONG}y`, "files.read", "a:b", "读文件"])(
    "shortens a name to what every provider accepts: %s",
    (name) => {
      expect(commonName(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(commonName(name)).toBe(commonName(name));
      expect(ownNames(["other", name])(commonName(name))).toBe(name);
    },
  );

  it("keeps valid names, and keeps changed names distinct", () => {
    expect(commonName("get_weather-2")).toBe("get_weather-2");
    expect(ownNames(["get_weather"])("get_weather")).toBe("get_weather");
    expect(new Set([LONG, `${LONG}y`, "a.b", "a:b"].map(commonName)).size).toBe(4);
  });
});
