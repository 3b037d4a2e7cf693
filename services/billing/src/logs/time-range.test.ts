import { describe, expect, it } from "vitest";
import { splitHours, splitMinutes } from "./time-range.ts";

const H = 3600;
const now = 100 * H + 1_800;

describe("time range split into hours", () => {
  it.each([
    ["whole hours", { from: 2 * H, to: 4 * H - 1 }, { from: 2 * H, to: 3 * H }, []],
    [
      "parts at both ends",
      { from: 2 * H + 5, to: 4 * H + 7 },
      { from: 3 * H, to: 3 * H },
      [
        { from: 2 * H + 5, to: 3 * H - 1 },
        { from: 4 * H, to: 4 * H + 7 },
      ],
    ],
    ["less than an hour", { from: 2 * H + 5, to: 2 * H + 9 }, undefined, [{ from: 2 * H + 5, to: 2 * H + 9 }]],
    ["two parts that meet", { from: 2 * H + 5, to: 3 * H + 9 }, undefined, [{ from: 2 * H + 5, to: 3 * H + 9 }]],
    ["one single second at the start of an hour", { from: 2 * H, to: 2 * H }, undefined, [{ from: 2 * H, to: 2 * H }]],
    ["an end in the future", { from: 99 * H, to: now + 9 * H }, { from: 99 * H, to: 100 * H }, []],
    ["an end before the start", { from: 5 * H, to: 4 * H }, undefined, []],
  ])("is right for %s", (_, range, hours, edges) => {
    expect(splitHours(range, now)).toEqual({ hours, edges });
  });

  it("covers every second exactly once", () => {
    for (let from = 10 * H - 3; from < 10 * H + 3; from++)
      for (let to = from; to < 12 * H + 4; to += 599) {
        const { hours, edges } = splitHours({ from, to }, now);
        const ofEdges = edges.reduce((sum, edge) => sum + edge.to - edge.from + 1, 0);
        const ofHours = hours ? hours.to - hours.from + H : 0;
        expect(ofEdges + ofHours).toBe(to - from + 1);
      }
  });
});

describe("partial hour", () => {
  it("is whole minutes and the seconds at their ends, newest first", () => {
    expect(splitMinutes({ from: 95, to: 1_805 })).toEqual({
      whole: { from: 120, to: 1_799 },
      rests: [
        { from: 1_800, to: 1_805 },
        { from: 95, to: 119 },
      ],
    });
    expect(splitMinutes({ from: 60, to: 119 })).toEqual({ whole: { from: 60, to: 119 }, rests: [] });
    expect(splitMinutes({ from: 61, to: 119 })).toEqual({ whole: undefined, rests: [{ from: 61, to: 119 }] });
  });
});
