import { describe, expect, it } from "vitest";
import { readResumption } from "./own-responses.ts";

describe("resumed stream", () => {
  it.each<[string, number | undefined]>([
    ["", undefined],
    ["stream=false&starting_after=3", undefined],
    ["stream=true", -1],
    ["stream=true&starting_after=0", 0],
    ["stream=true&starting_after=41", 41],
  ])("begins after the event that the query names: %s", (query, after) =>
    expect(readResumption(new URLSearchParams(query))).toBe(after),
  );

  it.each(["x", "-1", "1.5", "", "1e3", "9".repeat(20)])("refuses another value by name: %s", (value) =>
    expect(() => readResumption(new URLSearchParams({ stream: "true", starting_after: value }))).toThrow(
      "starting_after",
    ),
  );
});
