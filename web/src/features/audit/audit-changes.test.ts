import { describe, expect, it } from "vitest";
import { changesOf } from "./audit-changes.ts";

describe("what an action changed", () => {
  it("lists the facts that differ", () => {
    expect(changesOf('{"group":"default","quota":1}', '{"group":"vip","quota":1}')).toEqual([
      { name: "group", before: "default", after: "vip" },
    ]);
  });

  it("shows what came and what went", () => {
    expect(changesOf("", '{"name":"a","models":["x"]}')).toEqual([
      { name: "name", before: undefined, after: "a" },
      { name: "models", before: undefined, after: '["x"]' },
    ]);
    expect(changesOf('{"name":"a"}', "")).toEqual([{ name: "name", before: "a", after: undefined }]);
  });

  it("shows texts that are no objects as they are", () => {
    expect(changesOf("0", "3")).toEqual([{ name: "", before: "0", after: "3" }]);
    expect(changesOf("", "on")).toEqual([{ name: "", before: undefined, after: "on" }]);
  });
});
