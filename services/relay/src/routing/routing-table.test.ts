import { describe, expect, it } from "vitest";
import { canCallModel } from "../admission/model-access.ts";
import { createRoutingTable, toRoutedChannel } from "./routing-table.ts";
import { getUpstreamModel } from "../core/call/channel.ts";
import { channel } from "./routing-fixtures.ts";

describe("routing table", () => {
  it("finds models of prefixed channels by their names without prefix, which token limits may use", () => {
    const table = createRoutingTable([channel({ id: 1, prefix: "az/" }), channel({ id: 2 })]);
    expect([table.bareNames("az/gpt-4o"), table.bareNames("gpt-4o")]).toEqual([["gpt-4o"], []]);
    const allowsModel = (model: string): boolean => model === "gpt-4o";
    expect(["az/gpt-4o", "gpt-4o", "az/o1"].map((model) => canCallModel({ allowsModel }, table, model))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("lists the channels of a model per group in tiers of descending priority", () => {
    const table = createRoutingTable([
      channel({ id: 1 }),
      channel({ id: 2, priority: 5, group: "default,vip" }),
      channel({ id: 3, models: "o1, gpt-4o" }),
    ]);
    expect(table.tiers("default", "gpt-4o").map((tier) => tier.map(({ id }) => id))).toEqual([[2], [1, 3]]);
    expect(table.models("vip")).toEqual(["gpt-4o"]);
    expect(table.tiers("vip", "o1")).toEqual([]);
  });

  it("serves models of a prefixed channel only under the prefixed name", () => {
    const table = createRoutingTable([channel({ id: 1, prefix: "az/" })]);
    expect(table.tiers("default", "gpt-4o")).toEqual([]);
    expect(table.tiers("default", "az/gpt-4o")).toHaveLength(1);
  });

  it.each([
    ['{"az/gpt-4o":"deployed"}', "deployed"],
    ['{"gpt-4o":"deployed"}', "deployed"],
    ["", "gpt-4o"],
    ["not json", "gpt-4o"],
  ])("maps names written with or without the prefix: %s", (mapping, expected) => {
    const routed = toRoutedChannel(channel({ id: 1, prefix: "az/", mapping }));
    expect(routed && getUpstreamModel(routed, "az/gpt-4o")).toBe(expected);
  });
});

it("maps a channel test without the prefix like a call", () => {
  const routed = toRoutedChannel(channel({ id: 1, prefix: "az/", mapping: '{"az/gpt-4o":"deployed"}' }));
  expect(routed && getUpstreamModel(routed, "gpt-4o")).toBe("deployed");
});
