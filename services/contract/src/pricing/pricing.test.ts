import { describe, expect, it } from "vitest";
import { divideRounded, SCALE, toScaled } from "./decimal.ts";
import { findModelPrice, findGroupRatio, type ModelPrice, type PriceTables } from "./price-tables.ts";
import { DEFAULT_TOOL_PRICES, findToolPrice, listToolPrices } from "./tool-prices.ts";
import { computeImageQuota } from "./image-price.ts";
import { computeHoldQuota, computeLikelyQuota } from "./hold-quota.ts";
import { priceByCall, priceByRates } from "./model-price.ts";
import { computeQuota, NO_USAGE, type TokenUsage } from "./quota.ts";
import { EXAMPLE_RULES } from "./rules/example-rules.ts";
import { completeRates } from "./rules/rule-rates.ts";

const tables: PriceTables = {
  modelRatio: {},
  completionRatio: {},
  modelPrice: {},
  cacheRatio: {},
  createCacheRatio: {},
  imageRatio: {},
  audioRatio: {},
  audioCompletionRatio: {},
  rules: {},
  catalogue: EXAMPLE_RULES,
  toolPrices: DEFAULT_TOOL_PRICES,
  groupRatio: { default: 1, vip: 0.8 },
  groupGroupRatio: { staff: { vip: 0.5 } },
  cachedResponseRatio: 0.1,
  quotaPerUnit: 500_000,
  selfUseModeEnabled: false,
  fallback: { enabled: false, singlePrice: 0, inputRatio: 0, completionRatio: 0 },
};

function readPrice(model: string, over: Partial<PriceTables> = {}): ModelPrice {
  const price = findModelPrice({ ...tables, ...over }, model, model, false);
  if (!price) throw new Error(`no price for ${model}`);
  return price;
}

const usage = (over: Partial<TokenUsage>): TokenUsage => ({ ...NO_USAGE, ...over });

describe("computeQuota", () => {
  it.each([
    // model, group ratio, usage, quota calculated by hand
    ["gpt-4o", 1, { promptTokens: 1000, completionTokens: 500 }, 3750],
    ["gpt-4o", 1, { promptTokens: 1000, completionTokens: 500, cacheReadTokens: 600 }, 3375],
    ["gpt-4o", 0.8, { promptTokens: 1000, completionTokens: 500 }, 3000],
    ["gpt-4o-mini", 1, { promptTokens: 10, completionTokens: 5 }, 2], // 30 × 0.075 = 2.25
    ["gpt-4o-mini", 1, { promptTokens: 6, completionTokens: 0 }, 1], // 0.45 is lifted to 1
    ["gpt-4o-mini", 1, { promptTokens: 20, completionTokens: 0 }, 2], // 1.5 rounds away from zero
    ["gpt-4o-mini", 1, { promptTokens: 0, completionTokens: 1 }, 1], // 0.3
    [
      "claude-3-5-sonnet-20241022",
      1,
      { promptTokens: 2300, completionTokens: 100, cacheReadTokens: 2000, cacheWriteTokens: 200 },
      1575,
    ],
    ["gpt-3.5-turbo", 1, { promptTokens: 10001, completionTokens: 10000 }, 10000], // 0.25 × 10001 + 0.75 × 10000 = 10000.25
    ["gemini-2.5-flash", 1, { promptTokens: 100, completionTokens: 1000 }, 1265], // 100 × 0.15 + 1000 × 1.25
    ["glm-4-flash", 1, { promptTokens: 5000, completionTokens: 5000 }, 0],
    ["gpt-4o", 0, { promptTokens: 5000, completionTokens: 5000 }, 0],
    ["gpt-4o", 1, {}, 0],
    ["dall-e-3", 1, {}, 20_000],
    ["dall-e-3", 0.8, { promptTokens: 5 }, 16_000],
  ] as const)("charges %s at group ratio %d for %o exactly %d", (model, groupRatio, tokens, quota) => {
    expect(computeQuota(readPrice(model), groupRatio, 500_000, usage(tokens))).toBe(quota);
  });

  it.each([
    // audio: 100 × 1.25 + 300 × 20 + 50 × 5 + 200 × 40
    [
      "gpt-4o-audio-preview",
      { promptTokens: 400, audioPromptTokens: 300, completionTokens: 250, audioCompletionTokens: 200 },
      14_375,
    ],
    // cached audio: 20 × 2 + 50 × 16 + 30 × 0.2 + 10 × 8
    [
      "gpt-realtime",
      {
        promptTokens: 100,
        audioPromptTokens: 50,
        cacheReadTokens: 30,
        audioCacheReadTokens: 30,
        completionTokens: 10,
      },
      926,
    ],
    // images in the prompt and the response: 50 × 2.5 + 1000 × 5 + 4000 × 20
    [
      "gpt-image-1",
      { promptTokens: 1050, imagePromptTokens: 1000, completionTokens: 4000, imageCompletionTokens: 4000 },
      85_125,
    ],
    // hour-long writes: (100 + 500×0.1 + 200×1.25 + 300×2 + 10×5) × 1.5
    [
      "claude-3-5-sonnet-20241022",
      {
        promptTokens: 1100,
        cacheReadTokens: 500,
        cacheWriteTokens: 500,
        cacheWriteLongTokens: 300,
        completionTokens: 10,
      },
      1575,
    ],
    // two searches at $25 for 1000: 3750 + 2 × 12500
    ["gpt-4o", { promptTokens: 1000, completionTokens: 500, toolCalls: { web_search: 2 } }, 28_750],
    ["o3", { promptTokens: 1000, completionTokens: 500, toolCalls: { web_search: 2, file_search: 3 } }, 16_750], // 3000 + 10000 + 3750
    ["gpt-4o", { promptTokens: 1000, completionTokens: 0, toolCalls: { "image_generation/low/1024x1024": 1 } }, 6750],
    ["gpt-4o", { promptTokens: 1000, completionTokens: 0, toolCalls: { "image_generation/auto/auto": 1 } }, 84_750],
    ["gpt-4o", { promptTokens: 1000, completionTokens: 0, toolCalls: { telepathy: 9 } }, 1250],
    // tools in addition to a per-call price
    ["dall-e-3", { promptTokens: 1, completionTokens: 0, toolCalls: { web_search: 1 } }, 32_500],
    // audio at its own price: 100 × 0.15 + 1000 × $1 / million × 500000 = 15 + 500
    ["gemini-2.5-flash", { promptTokens: 1100, audioPromptTokens: 1000, completionTokens: 0 }, 515],
  ] as const)("charges %s for %o with all its parts", (model, tokens, quota) => {
    expect(computeQuota(readPrice(model), 1, 500_000, usage(tokens))).toBe(quota);
  });

  it("multiplies ratios as decimals", () => {
    // Hour-long writes at 0.7 × 1.6 = 1.12: (28 + 600 × 1.12) × 0.005 = 3.5; completion audio at 0.7 × 1.6: 625 × 1.12
    // × 0.005 = 3.5.
    const price = readPrice("mine", {
      modelRatio: { mine: 0.005 },
      createCacheRatio: { mine: 0.7 },
      audioRatio: { mine: 0.7 },
      audioCompletionRatio: { mine: 1.6 },
    });
    const written = { promptTokens: 628, cacheWriteTokens: 600, cacheWriteLongTokens: 600 };
    expect(computeQuota(price, 1, 500_000, usage(written))).toBe(4);
    const audio = { completionTokens: 625, audioCompletionTokens: 625 };
    expect(computeQuota(price, 1, 500_000, usage(audio))).toBe(4);
  });

  it("multiplies the group's ratio and a cached response's share as decimals", () => {
    const price = readPrice("mine", { modelRatio: { mine: 1 }, completionRatio: { mine: 1 } });
    // 0.7 × 0.1 is 0.06999999999999999 in floating point: 3.4999 would be rounded down.
    expect(computeQuota(price, [0.7, 0.1], 500_000, usage({ promptTokens: 50 }))).toBe(4);
    expect(computeQuota(price, 0.07, 500_000, usage({ promptTokens: 50 }))).toBe(4);
    expect(computeImageQuota(priceByCall(0.0001), [0.7, 0.1], 500_000, 1)).toBe(4);
  });

  it("has no float drift at large counts", () => {
    const price = readPrice("mine", { modelRatio: { mine: 0.1 }, completionRatio: { mine: 3 } });
    expect(
      computeQuota(price, 0.3, 500_000, usage({ promptTokens: 1_000_000_000, completionTokens: 1_000_000_000 })),
    ).toBe(120_000_000);
  });
});

describe("fast path of the quota formula", () => {
  it("always equals the exact result", () => {
    const exact = (price: ModelPrice, ratio: number, of: TokenUsage): number => {
      const tokens =
        BigInt(of.promptTokens - of.cacheReadTokens) * SCALE +
        BigInt(of.cacheReadTokens) * toScaled(price.cacheRatio) +
        BigInt(of.completionTokens) * toScaled(price.completionRatio);
      const quota = Number(divideRounded(tokens * toScaled(price.modelRatio) * toScaled(ratio), SCALE ** 3n));
      return quota === 0 ? 1 : quota;
    };
    // A deterministic sequence (a linear congruential generator), so that a failure can be reproduced.
    let state = 12_345;
    const next = (below: number): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    for (let round = 0; round < 20_000; round++) {
      const price = readPrice("mine", {
        modelRatio: { mine: (next(4_000) + 1) / 80 },
        completionRatio: { mine: (next(60) + 1) / 8 },
        cacheRatio: { mine: next(9) / 8 },
      });
      const promptTokens = next(100_000) + 1;
      const of = usage({ promptTokens, completionTokens: next(50_000), cacheReadTokens: next(promptTokens) });
      const ratio = (next(20) + 1) / 16;
      expect(computeQuota(price, ratio, 500_000, of)).toBe(exact(price, ratio, of));
    }
  });
});

describe("findModelPrice", () => {
  it("prefers the requested name to the upstream name", () => {
    expect(findModelPrice(tables, "gpt-4o", "gpt-4o-mini", false)).toMatchObject({ rule: "model", modelRatio: 1.25 });
    expect(findModelPrice(tables, "my-alias", "gpt-4o-mini", false)).toMatchObject({
      rule: "upstream_model",
      modelRatio: 0.075,
    });
  });

  it("uses the fallback only when no name has a price", () => {
    const fallback = { enabled: true, singlePrice: 0.01, inputRatio: 0, completionRatio: 0 };
    expect(findModelPrice({ ...tables, fallback }, "gpt-4o", "gpt-4o", false)).toMatchObject({
      rule: "model",
      mode: "tokens",
    });
    expect(findModelPrice({ ...tables, fallback }, "nobody-knows", "nobody-knows", false)).toMatchObject({
      rule: "fallback",
      mode: "call",
      modelPrice: 0.01,
    });
    const ratios = { enabled: true, singlePrice: 0, inputRatio: 2, completionRatio: 4 };
    expect(readPrice("nobody-knows", { fallback: ratios })).toMatchObject({
      modelRatio: 2,
      completionRatio: 4,
      rule: "fallback",
    });
  });

  it("refuses a model without any price unless self-use mode or the user accepts it", () => {
    expect(findModelPrice(tables, "nobody-knows", "nobody-knows", false)).toBeUndefined();
    expect(findModelPrice(tables, "nobody-knows", "nobody-knows", true)).toMatchObject({
      rule: "unset_accepted",
      modelRatio: 37.5,
    });
    expect(readPrice("nobody-knows", { selfUseModeEnabled: true })).toMatchObject({ modelRatio: 37.5 });
  });

  it("prefers an operator's completion ratio to every built-in rule", () => {
    expect(readPrice("gpt-4o", { completionRatio: { "gpt-4o": 7 } })).toMatchObject({ completionRatio: 7 });
  });

  it("prefers a fixed price to a ratio and folds custom GPT names", () => {
    expect(readPrice("gpt-4-gizmo-abc")).toMatchObject({ mode: "call", modelPrice: 0.1, name: "gpt-4-gizmo-*" });
  });

  it("does not find prices on the prototype", () => {
    expect(findModelPrice(tables, "constructor", "toString", false)).toBeUndefined();
    expect(findGroupRatio(tables, "constructor")).toBeUndefined();
  });
});

describe("listToolPrices", () => {
  it("uses the longest matching model, with or without its vendor", () => {
    expect(listToolPrices(DEFAULT_TOOL_PRICES, "o3-mini")).toMatchObject({ web_search: 10, file_search: 2.5 });
    expect(listToolPrices(DEFAULT_TOOL_PRICES, "openai/gpt-5")).toMatchObject({ web_search: 10 });
    expect(listToolPrices(DEFAULT_TOOL_PRICES, "gpt-4.1")).toMatchObject({ web_search: 25 });
    expect(listToolPrices({ "a:b": 1, "a:b*": 2, a: 3 }, "b")).toEqual({ a: 1 });
    expect(findToolPrice({}, "constructor")).toBe(0);
  });
});

describe("findGroupRatio", () => {
  it("uses a user group's special ratio instead of the group's own", () => {
    expect(findGroupRatio(tables, "vip", "staff")).toBe(0.5);
    expect(findGroupRatio(tables, "vip", "default")).toBe(0.8);
    expect(findGroupRatio(tables, "vip", "constructor")).toBe(0.8);
  });

  it("has no ratio for a group without one", () => {
    expect(findGroupRatio(tables, "gone", "staff")).toBeUndefined();
  });
});

describe("toScaled", () => {
  it.each([
    [0, 0n],
    [0.1, 100_000_000_000n],
    [1e-7, 100_000n],
    [37.5, 37_500_000_000_000n],
    [1e21, 1_000_000_000_000_000_000_000_000_000_000_000n],
  ])("represents %d exactly", (value, scaled) => {
    expect(toScaled(value)).toBe(scaled);
  });
});

describe("another quota of a dollar", () => {
  const price = priceByRates(completeRates({ input: 2, output: 8, reasoning: 9 }));
  const tools = { ...price, rule: "model", name: "m", toolPrices: { web_search: 10 } } as ModelPrice;
  const million = { ...NO_USAGE, promptTokens: 1_000_000, completionTokens: 1_000_000 };

  it.each([500_000, 1_000_000, 68_493, 1])(
    "makes tokens, tools and calls cost the same dollars at %d units",
    (perUnit) => {
      expect(computeQuota(tools, 1, perUnit, million)).toBe(10 * perUnit);
      expect(computeQuota(tools, 1, perUnit, { ...million, reasoningTokens: 1_000_000 })).toBe(11 * perUnit);
      expect(computeQuota(tools, 1, perUnit, { ...million, toolCalls: { web_search: 500 } })).toBe(15 * perUnit);
      expect(computeHoldQuota(tools, 1, perUnit, { ...million, toolCalls: { web_search: 500 } })).toBe(16 * perUnit);
      expect(computeLikelyQuota(tools, 1, perUnit, { ...million, toolCalls: { web_search: 500 } })).toBe(15 * perUnit);
    },
  );
});
