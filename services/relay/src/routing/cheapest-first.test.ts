import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { describe, expect, it } from "vitest";
import { ChannelChooser } from "./channel-chooser.ts";
import { orderByCost } from "./cheapest-first.ts";
import { createChannelBreakers } from "./channel-breakers.ts";
import { channel } from "./routing-fixtures.ts";
import { createRoutingTable } from "./routing-table.ts";

const rules = { "gpt-4o": { input: 2.5, output: 10 }, "gpt-small": { input: 0.1, output: 0.4 } };
const withGroups = (groups: string) =>
  optionsInForce([
    { key: CATALOGUE_ROW, value: JSON.stringify({ rules }) },
    { key: "CheapestChannelGroups", value: groups },
  ]);
const CALL = { group: "default", model: "gpt-4o" };

type Fields = Parameters<typeof channel>[0] & { cost?: object };
function createTiers(all: readonly Fields[]) {
  const snapshot = all.map(({ cost, ...fields }) => {
    const made = channel(fields);
    if (made.channel && cost) Object.assign(made.channel, { cost: JSON.stringify(cost) });
    return made;
  });
  return createRoutingTable(snapshot).tiers(CALL.group, CALL.model);
}
const getIds = (tiers: ReturnType<typeof createTiers>): number[][] => tiers.map((tier) => tier.map(({ id }) => id));
const factor = (by: number) => ({ source: "catalogue", factor: by });

describe("cheapest channel first", () => {
  const tiers = createTiers([
    { id: 1, priority: 5, cost: factor(1) },
    { id: 2, priority: 5, cost: factor(0.4) },
    { id: 3, priority: 5, cost: { source: "table", prices: { other: { input: 1 } } } },
    { id: 4, priority: 5, mapping: '{"gpt-4o":"gpt-small"}' },
    { id: 5, priority: 5, cost: { source: "reported" } },
    { id: 6, priority: 0, cost: factor(0) },
  ]);

  it("orders each priority by cost, equal costs together and unknown ones last", () => {
    expect(getIds(orderByCost(tiers, CALL, withGroups("default")))).toEqual([[4], [2], [1, 5], [3], [6]]);
  });

  it("is for the groups of the option alone", () => {
    for (const groups of ["", "vip", "defaults"]) expect(orderByCost(tiers, CALL, withGroups(groups))).toBe(tiers);
    expect(orderByCost(tiers, CALL, withGroups("vip, *"))).not.toBe(tiers);
  });

  it("is computed once for the same table and prices", () => {
    const options = withGroups("*");
    expect(orderByCost(tiers, CALL, options)).toBe(orderByCost(tiers, CALL, options));
  });

  it("falls back to the next cheapest while a channel is unhealthy", () => {
    const health = createChannelBreakers(() => 0);
    const chooser = new ChannelChooser({ health, random: () => 0.5 });
    const ordered = orderByCost(tiers, CALL, withGroups("*"));
    const first = chooser.choose(ordered, []);
    expect(first?.channel.id).toBe(4);
    for (let time = 0; time < 6; time++) health.failed(4, "key", ["key"]);
    expect(chooser.choose(ordered, [])?.channel.id).toBe(2);
    expect(chooser.choose(ordered, first ? [first] : [])?.channel.id).toBe(2);
  });

  it("draws by weight among channels of equal cost", () => {
    const equal = orderByCost(
      createTiers([
        { id: 1, weight: 90 },
        { id: 2, weight: 0 },
      ]),
      CALL,
      withGroups("*"),
    );
    expect(getIds(equal)).toEqual([[1, 2]]);
  });
});
