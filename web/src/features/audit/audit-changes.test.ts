import { describe, expect, it } from "vitest";
import { listChanges } from "./audit-changes.ts";

describe("changes of an audit row", () => {
  it("lists the fields that differ", () => {
    expect(listChanges('{"group":"default","quota":1}', '{"group":"vip","quota":1}')).toEqual([
      { name: "group", before: "default", after: "vip" },
    ]);
  });

  it("shows added and removed fields", () => {
    expect(listChanges("", '{"name":"a","models":["x"]}')).toEqual([
      { name: "name", before: undefined, after: "a" },
      { name: "models", before: undefined, after: '["x"]' },
    ]);
    expect(listChanges('{"name":"a"}', "")).toEqual([{ name: "name", before: "a", after: undefined }]);
  });

  it("shows texts that are not objects unchanged", () => {
    expect(listChanges("0", "3")).toEqual([{ name: "", before: "0", after: "3" }]);
    expect(listChanges("", "on")).toEqual([{ name: "", before: undefined, after: "on" }]);
  });
});
