import type { LogDetails } from "@turnpike/contract/api/log";
import { priceByRatios } from "@turnpike/contract/pricing/model-price";
import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import { computeQuota, computeTotalQuota, NO_USAGE, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { expect, it } from "vitest";
import { type Bill, distribute, toBill } from "./bill.ts";

const PER_UNIT = 500_000;
const entry = {
  id: 1,
  created_at: 0,
  type: 2,
  user_id: 1,
  username: "u",
  token_id: 1,
  token_name: "t",
  model_name: "m",
  channel: 1,
  channel_name: "c",
  group: "default",
  is_stream: false,
  use_time: 1,
  prompt_tokens: 1000,
  completion_tokens: 200,
  quota: 0,
  content: "",
  client_ip: "",
  request_id: "",
  other: "",
};
const price: ModelPrice = {
  ...priceByRatios({
    modelRatio: 1.25,
    completionRatio: 4,
    cacheRatio: 0.5,
    cacheWriteRatio: 1.25,
    imageRatio: 1.5,
    audioRatio: 16,
    audioCompletionRatio: 2,
  }),
  rule: "model",
  name: "m",
  toolPrices: { web_search: 25 },
};
const ratios: LogDetails = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 1.5, cache_ratio: 0.5 };

const getSum = (bill: Bill | undefined): number => {
  const lines = bill?.mode === "tokens" ? bill.lines : [];
  return [...lines, ...(bill?.surcharges ?? [])].reduce((total, { quota }) => total + quota, 0);
};

it("adds up to what billing charges at another quota of a dollar", () => {
  const perUnit = 1_000_000;
  const usage: TokenUsage = { ...NO_USAGE, promptTokens: 1000, completionTokens: 200 };
  const bill = toBill(entry, { ...ratios, quota_per_unit: perUnit }, PER_UNIT);
  expect(Math.round(getSum(bill))).toBe(computeQuota(price, 1.5, perUnit, usage));
});

it("adds up to what billing charges", () => {
  const details = { ...ratios, cache_tokens: 300, cache_creation_tokens: 100, cache_creation_ratio: 1.25 };
  const usage: TokenUsage = {
    promptTokens: 1000,
    completionTokens: 200,
    cacheReadTokens: 300,
    cacheWriteTokens: 100,
    reasoningTokens: 0,
  };
  expect(Math.round(getSum(toBill(entry, details, PER_UNIT)))).toBe(computeQuota(price, 1.5, PER_UNIT, usage));
  // Anthropic's rows leave the cache out of the prompt.
  const claude = { ...entry, prompt_tokens: 600 };
  expect(Math.round(getSum(toBill(claude, { ...details, claude: true }, PER_UNIT)))).toBe(
    computeQuota(price, 1.5, PER_UNIT, usage),
  );
});

it("adds up with audio, images, hour-long cache writes and tools", () => {
  const usage: TokenUsage = {
    promptTokens: 1000,
    completionTokens: 200,
    cacheReadTokens: 0,
    cacheWriteTokens: 100,
    cacheWriteLongTokens: 40,
    audioPromptTokens: 200,
    imagePromptTokens: 50,
    audioCompletionTokens: 80,
    toolCalls: { web_search: 3 },
    reasoningTokens: 0,
  };
  const details: LogDetails = {
    ...ratios,
    cache_creation_tokens_5m: 60,
    cache_creation_ratio_5m: 1.25,
    cache_creation_tokens_1h: 40,
    cache_creation_ratio_1h: 2,
    audio_input: 200,
    audio_output: 80,
    audio_ratio: 16,
    audio_completion_ratio: 2,
    image_input: 50,
    image_ratio: 1.5,
    surcharges: [{ name: "web_search", count: 3, price: 25, per: 1000 }],
  };
  expect(Math.round(getSum(toBill(entry, details, PER_UNIT)))).toBe(computeQuota(price, 1.5, PER_UNIT, usage));
});

it("adds up where a row holds exact prices, a tier and a region", () => {
  const details: LogDetails = {
    ...ratios,
    lines: [
      { kind: "input", tokens: 1000, price: 5 },
      { kind: "output", tokens: 200, price: 22.5 },
    ],
    price_tier: "priority",
    region: "us",
    region_ratio: 1.1,
  };
  const bill = toBill(entry, details, PER_UNIT);
  expect(getSum(bill)).toBeCloseTo((1000 * 2.5 + 200 * 11.25) * 1.5 * 1.1, 6);
});

it("charges its share of the price for a cached response", () => {
  const usage = {
    promptTokens: 1000,
    completionTokens: 200,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
  const bill = toBill(entry, { ...ratios, response_cache: true, response_cache_ratio: 0.1 }, PER_UNIT);
  expect(Math.round(getSum(bill))).toBe(computeQuota(price, 1.5 * 0.1, PER_UNIT, usage));
});

it("shows an empty response as no call", () => {
  const empty = { ...entry, prompt_tokens: 0, completion_tokens: 0 };
  expect(toBill(empty, { model_price: 0.04 }, PER_UNIT)).toMatchObject({ mode: "call", pieces: 0 });
  expect(toBill({ ...empty, quota: 20_000 }, { model_price: 0.04 }, PER_UNIT)).toMatchObject({ pieces: 1 });
});

it("shows a price per call, and per piece, as one line", () => {
  const call = {
    mode: "call",
    dollars: 0.04,
    pieces: 1,
    groupRatio: 2,
    cachedRatio: 1,
    regionRatio: 1,
    surcharges: [],
  };
  expect(toBill(entry, { model_price: 0.04, group_ratio: 2 }, PER_UNIT)).toEqual(call);
  expect(toBill(entry, { model_price: 0.04, group_ratio: 2, price_units: 3 }, PER_UNIT)).toEqual({
    ...call,
    pieces: 3,
  });
  const images = { ...entry, completion_tokens: 0 };
  expect(toBill(images, { model_price: -1, model_ratio: 8, price_units: 2 }, PER_UNIT)).toMatchObject({
    mode: "call",
    dollars: 0.02,
    pieces: 2,
  });
});

it("makes no bill of a row without the factors", () => {
  expect(toBill(entry, {}, PER_UNIT)).toBeUndefined();
});

it("omits lines without usage", () => {
  const bill = toBill(entry, { model_ratio: 1, model_price: -1 }, PER_UNIT);
  expect(bill?.mode === "tokens" && bill.lines.map(({ label }) => label)).toEqual(["输入", "输出"]);
});

it("distributes a charge so that the parts of its bill add up to it", () => {
  expect(distribute(10, [3.4, 3.3, 3.3])).toEqual([4, 3, 3]);
  expect(distribute(2, [0.4, 1.1])).toEqual([1, 1]);
  expect(distribute(1, [0.2, 0.2])).toEqual([1, 0]);
  expect(distribute(500, [3.4, 3.3])).toEqual([3.4, 3.3]);
});

it("lists the requests that the provider made within the call, each at its own price", () => {
  const own: TokenUsage = { ...NO_USAGE, promptTokens: 1000, completionTokens: 200, cacheReadTokens: 300 };
  const within: TokenUsage = { ...NO_USAGE, promptTokens: 5000, completionTokens: 40, cacheReadTokens: 2000 };
  const details: LogDetails = {
    ...ratios,
    cache_tokens: 2300,
    iterations: [
      {
        type: "compaction",
        price_model: "m",
        prompt_tokens: 5000,
        completion_tokens: 40,
        cache_tokens: 2000,
        cache_creation_tokens: 0,
        lines: [
          { kind: "input", tokens: 3000, price: 2.5 },
          { kind: "cache_read", tokens: 2000, price: 1.25 },
          { kind: "output", tokens: 40, price: 10 },
        ],
      },
    ],
  };
  const bill = toBill({ ...entry, prompt_tokens: 6000, completion_tokens: 240 }, details, PER_UNIT);
  const parts = [own, within].map((usage) => ({ price, usage }));
  expect(Math.round(getSum(bill))).toBe(computeTotalQuota(parts, 1.5, PER_UNIT));
  const origins = bill?.mode === "tokens" ? bill.lines.map(({ origin }) => origin) : [];
  expect(origins).toEqual([undefined, undefined, undefined, "compaction", "compaction", "compaction"]);
});
