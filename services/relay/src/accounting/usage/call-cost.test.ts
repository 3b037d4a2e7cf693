import { optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { NO_USAGE, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { Channel } from "@turnpike/proto/channel/v1/channel_service";
import { describe, expect, it } from "vitest";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { toRoutedChannel } from "../../routing/routing-table.ts";
import { getCallCost, getPerCallCost } from "./call-cost.ts";

const rules = {
  "gpt-5": { input: 2, output: 10, cache_read: 0.2, tiers: { priority: { input: 4, output: 20 } } },
  painter: { per_image: { "high/1024x1024": 0.2, "*": 0.05 } },
  song: { per_call: 0.04 },
  ratioed: { input: 1 },
};
const rows = [
  { key: CATALOGUE_ROW, value: JSON.stringify({ rules }) },
  // What is charged must not matter for what upstream charges.
  { key: "ModelRatio", value: JSON.stringify({ "gpt-5": 100 }) },
  { key: "fallback_pricing_enabled", value: "true" },
  { key: "fallback_single_price", value: "3" },
];
const tables = toPriceTables(optionsInForce(rows));

type Setup = { model?: string; cost?: object; mapping?: Record<string, string>; pieces?: number };

function setUp({ model = "gpt-5", cost, mapping = {}, pieces }: Setup = {}): RelayCall {
  const fields = { id: 1, type: 1, modelMapping: JSON.stringify(mapping), cost: cost ? JSON.stringify(cost) : "" };
  const channel = toRoutedChannel({ channel: Channel.fromPartial(fields), keys: ["k"] });
  if (!channel) throw new Error("no channel");
  const endpoint =
    pieces === undefined
      ? undefined
      : { priceUnits: () => pieces, pieces: () => ({ count: pieces, quality: "high", size: "1024x1024" }) };
  return { model, body: {}, dialect: { endpoint }, tried: [{ channel, key: "k" }] } as unknown as RelayCall;
}

const getCost = (setup: Setup, usage: Partial<TokenUsage> = { promptTokens: 1_000, completionTokens: 100 }) =>
  getCallCost(setUp(setup), { usage: { ...NO_USAGE, ...usage }, estimated: false, error: undefined }, tables);

describe("cost of a call", () => {
  it("is the catalogue's price times the channel's factor, whatever is charged", () => {
    // 1 000 × $2 + 100 × $10 per million = $0.003, at 500 000 units a dollar.
    expect(getCost({})).toEqual({ cost: 1_500, costSource: "catalogue" });
    expect(getCost({ cost: { source: "catalogue", factor: 0.4 } })).toEqual({ cost: 600, costSource: "catalogue" });
    expect(getCost({ cost: { source: "catalogue", factor: 0 } })).toEqual({ cost: 0, costSource: "catalogue" });
  });

  it("follows the tier and the cache as upstream bills them", () => {
    expect(getCost({}, { promptTokens: 1_000, tier: "priority" }).cost).toBe(2_000);
    expect(getCost({}, { promptTokens: 1_000, cacheReadTokens: 1_000 }).cost).toBe(100);
  });

  it("is found under the name that upstream knows the model by", () => {
    expect(getCost({ model: "best", mapping: { best: "gpt-5" } }).cost).toBe(1_500);
  });

  it("is unknown, not 0 and not a fallback price, for a model that the list lacks", () => {
    expect(getCost({ model: "nobody-knows" })).toEqual({ costSource: "catalogue" });
    expect(getCost({ cost: { source: "table", prices: { other: { input: 1 } } } })).toEqual({ costSource: "table" });
  });

  it("is the own table's price", () => {
    expect(getCost({ cost: { source: "table", factor: 2, prices: { "gpt-5": { input: 1, output: 1 } } } })).toEqual({
      cost: 1_100,
      costSource: "table",
    });
  });

  it("is what upstream reports, and unknown without a report", () => {
    const reported = { source: "reported", factor: 2 };
    const usage = { promptTokens: 1_000, completionTokens: 100 };
    expect(getCost({ cost: reported }, { ...usage, reportedDollars: 0.0037756 }).cost).toBe(3_776);
    expect(getCost({ cost: reported }, { ...usage, reportedDollars: 0 }).cost).toBe(0);
    expect(getCost({ cost: reported }, usage)).toEqual({ costSource: "reported" });
    expect(getCost({}, { ...usage, reportedDollars: 9 }).cost).toBe(1_500);
  });

  it("is 0 for a response from the response cache", () => {
    const outcome = { usage: { ...NO_USAGE, promptTokens: 9 }, estimated: false, error: undefined, hitRatio: 0.1 };
    expect(getCallCost(setUp(), outcome, tables)).toEqual({ cost: 0, costSource: "cache" });
  });

  it("is that of the delivered images, and unknown where only a ratio for tokens is listed", () => {
    expect(getCost({ model: "painter", pieces: 3 }, { promptTokens: 3, images: 2 }).cost).toBe(200_000);
    expect(getCost({ model: "painter", pieces: 1 }, { promptTokens: 1, images: 4 }).cost).toBe(400_000);
    expect(getCost({ model: "ratioed", pieces: 3 }, { promptTokens: 3, images: 2 })).toEqual({
      costSource: "catalogue",
    });
  });

  it("is a task's price by the call, and unknown without one", () => {
    expect(getPerCallCost(setUp({ model: "song", cost: { source: "catalogue", factor: 0.5 } }), tables).cost).toBe(
      10_000,
    );
    expect(getPerCallCost(setUp({ model: "gpt-5" }), tables)).toEqual({ costSource: "catalogue" });
  });
});
