import { expect, it } from "vitest";
import { groupOptions, groupRows } from "./group-rows.ts";

it("turns the two options of groups into rows and back", () => {
  const ratios = { default: 1, vip: 0.8 };
  const descriptions = { default: "everybody" };
  const rows = groupRows(ratios, descriptions);
  expect(rows).toEqual([
    { name: "default", ratio: 1, description: "everybody" },
    { name: "vip", ratio: 0.8, description: undefined },
  ]);
  expect(groupOptions(rows)).toEqual({ ratios, descriptions });
});

it("gives a group with only a description the full price", () => {
  expect(groupRows({}, { guest: "guests" })).toEqual([{ name: "guest", ratio: 1, description: "guests" }]);
});
