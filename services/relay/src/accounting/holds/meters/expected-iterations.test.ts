import { priceByRatios } from "@turnpike/contract/pricing/model-price";
import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import { expect, it } from "vitest";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import { estimateIterationsQuota } from "./expected-iterations.ts";

const toPrice = (name: string, modelRatio: number): ModelPrice => ({
  ...priceByRatios({
    modelRatio,
    completionRatio: 2,
    cacheRatio: 0.1,
    cacheWriteRatio: 1.25,
    imageRatio: 1,
    audioRatio: 1,
    audioCompletionRatio: 1,
  }),
  rule: "model",
  name,
  toolPrices: {},
});
const estimate = (body: object, promptTokens: number) =>
  estimateIterationsQuota({ body, dialect: {} } as unknown as RelayCall, {
    price: toPrice("claude", 1),
    groupRatio: 1,
    quotaPerUnit: 500_000,
    findModelPrice: (model) => (model === "advisor" ? toPrice("advisor", 5) : undefined),
    content: {},
    promptTokens,
  });
const compacting = (trigger?: object) => ({
  context_management: { edits: [{ type: "compact_20260112", ...(trigger ? { trigger } : {}) }] },
});

it("expects a compaction where the prompt may reach its trigger, and is sure of it where the estimate does", () => {
  expect(estimate(compacting(), 100_000)).toEqual({ most: 0, likely: 0 });
  expect(estimate(compacting(), 140_000)).toEqual({ most: 140_000 + 8_000, likely: 0 });
  expect(estimate(compacting(), 150_000)).toEqual({ most: 158_000, likely: 158_000 });
  expect(estimate(compacting({ type: "input_tokens", value: 60_000 }), 60_000)).toMatchObject({ likely: 68_000 });
});

it("expects an advisor to read the prompt with each use, at its own price", () => {
  const tool = { type: "advisor_20260301", name: "advisor", model: "advisor", max_uses: 2, max_tokens: 500 };
  expect(estimate({ tools: [tool] }, 1_000)).toEqual({ most: 2 * 5 * (1_000 + 1_000), likely: 0 });
  expect(estimate({ tools: [{ type: "advisor_20260301", model: "unknown" }] }, 1_000)).toEqual({
    most: 3 * (1_000 + 4_000),
    likely: 0,
  });
});

it("expects nothing of a call without either", () => {
  expect(estimate({ tools: [{ type: "web_search_20250305" }], context_management: null }, 1e6)).toEqual({
    most: 0,
    likely: 0,
  });
});
