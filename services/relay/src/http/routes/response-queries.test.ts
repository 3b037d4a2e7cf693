import { describe, expect, it } from "vitest";
import { checkListQuery, readResumption } from "./response-queries.ts";

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

  it.each(["x", "-1", "1.5", "", "1e3", "9".repeat(20)])("refuses another value by name: %s", (value) => {
    for (const stream of ["true", "false"])
      expect(() => readResumption(new URLSearchParams({ stream, starting_after: value }))).toThrow("starting_after");
  });

  it.each(["yes", "1", ""])("refuses another value of stream by name: %s", (stream) =>
    expect(() => readResumption(new URLSearchParams({ stream }))).toThrow("stream"),
  );
});

describe("list of items", () => {
  it.each(["", "limit=1", "limit=100&order=asc", "order=desc&after=x"])("takes %s", (query) =>
    expect(() => checkListQuery(new URLSearchParams(query))).not.toThrow(),
  );

  it.each([
    ["limit", "x"],
    ["limit", "0"],
    ["limit", "101"],
    ["limit", "1.5"],
    ["limit", ""],
    ["order", "up"],
  ])("refuses %s=%s by name", (name, value) =>
    expect(() => checkListQuery(new URLSearchParams({ [name]: value }))).toThrow(name),
  );
});
