import { describe, expect, it } from "vitest";
import { getArea } from "./metrics.ts";

describe("getArea", () => {
  it.each([
    ["/v1/chat/completions", "model-api"],
    ["/api/user/self?x=1", "api-user"],
    ["/api/channel/7", "api-channel"],
    ["/api/nonsense", "api-other"],
    ["/assets/index.js", "console"],
  ])("maps %s to %s", (url, area) => expect(getArea(url)).toBe(area));

  it("returns one of a fixed set of areas for any path", () => {
    const areas = new Set(Array.from({ length: 1_000 }, (_, index) => getArea(`/api/x${index}/${Math.random()}`)));
    expect([...areas]).toEqual(["api-other"]);
  });
});
