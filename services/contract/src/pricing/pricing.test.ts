import { describe, expect, it } from "vitest";
import { builtInCompletionRatio } from "./completion-ratio.ts";
import { divideRounded, SCALE, toScaled } from "./decimal.ts";
import {
  DEFAULT_CACHE_RATIO,
  DEFAULT_COMPLETION_RATIO,
  DEFAULT_IMAGE_RATIO,
  DEFAULT_MODEL_PRICE,
  DEFAULT_MODEL_RATIO,
} from "./default-prices.ts";
import { findModelPrice, groupRatioOf, type ModelPrice, type PriceTables } from "./price-book.ts";
import { DEFAULT_TOOL_PRICES, toolPriceOf, toolPricesOf } from "./tool-prices.ts";
import { computeQuota, NO_USAGE, type TokenUsage } from "./quota.ts";

const tables: PriceTables = {
  modelRatio: DEFAULT_MODEL_RATIO,
  completionRatio: DEFAULT_COMPLETION_RATIO,
  modelPrice: DEFAULT_MODEL_PRICE,
  cacheRatio: DEFAULT_CACHE_RATIO,
  createCacheRatio: {},
  imageRatio: DEFAULT_IMAGE_RATIO,
  audioRatio: {},
  audioCompletionRatio: {},
  toolPrices: DEFAULT_TOOL_PRICES,
  groupRatio: { default: 1, vip: 0.8 },
  groupGroupRatio: { staff: { vip: 0.5 } },
  cachedResponseRatio: 0.1,
  quotaPerUnit: 500_000,
  selfUseModeEnabled: false,
  fallback: { enabled: false, singlePrice: 0, inputRatio: 0, completionRatio: 0 },
};

function priceOf(model: string, over: Partial<PriceTables> = {}): ModelPrice {
  const price = findModelPrice({ ...tables, ...over }, model, model, false);
  if (!price) throw new Error(`no price for ${model}`);
  return price;
}

const usage = (over: Partial<TokenUsage>): TokenUsage => ({ ...NO_USAGE, ...over });

describe("computeQuota", () => {
  it.each([
    // model, group ratio, usage, quota worked out by hand
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
    ["gpt-3.5-turbo-0613", 1, { promptTokens: 10000, completionTokens: 10000 }, 17500], // 23333 × 0.75 = 17499.75
    ["gemini-2.5-flash-preview-04-17", 1, { promptTokens: 100, completionTokens: 1000 }, 445], // 5933.3 × 0.075 = 444.9975
    ["glm-4-flash", 1, { promptTokens: 5000, completionTokens: 5000 }, 0],
    ["gpt-4o", 0, { promptTokens: 5000, completionTokens: 5000 }, 0],
    ["gpt-4o", 1, {}, 0],
    ["dall-e-3", 1, {}, 20_000],
    ["dall-e-3", 0.8, { promptTokens: 5 }, 16_000],
  ] as const)("charges %s at group ratio %d for %o exactly %d", (model, groupRatio, tokens, quota) => {
    expect(computeQuota(priceOf(model), groupRatio, 500_000, usage(tokens))).toBe(quota);
  });

  it.each([
    // audio: (100 + 300×40 + 50×4 + 200×40×2) × 1.25 = 28300 × 1.25
    [
      "gpt-4o-audio-preview",
      { promptTokens: 400, audioPromptTokens: 300, completionTokens: 250, audioCompletionTokens: 200 },
      35_375,
    ],
    ["gpt-4o-realtime-preview", { promptTokens: 100, audioPromptTokens: 80, completionTokens: 10 }, 4150], // (20 + 1600 + 40) × 2.5
    // images in the prompt: (50 + 1000×2 + 4000×8) × 2.5
    ["gpt-image-1", { promptTokens: 1050, imagePromptTokens: 1000, completionTokens: 4000 }, 85_125],
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
    // tools beside a per-call price
    ["dall-e-3", { promptTokens: 1, completionTokens: 0, toolCalls: { web_search: 1 } }, 32_500],
    // audio at its own price: 100 × 0.15 + 1000 × $1 / million × 500000 = 15 + 500
    ["gemini-2.5-flash", { promptTokens: 1100, audioPromptTokens: 1000, completionTokens: 0 }, 515],
  ] as const)("charges %s for %o with all its parts", (model, tokens, quota) => {
    expect(computeQuota(priceOf(model), 1, 500_000, usage(tokens))).toBe(quota);
  });

  it("multiplies ratios as decimals", () => {
    // Hour-long writes at 0.7 × 1.6 = 1.12: (28 + 600 × 1.12) × 0.005 = 3.5; sound out at 0.7 × 1.6: 625 × 1.12 × 0.005 = 3.5.
    const price = {
      ...priceOf("gpt-4o", { createCacheRatio: { "gpt-4o": 0.7 } }),
      modelRatio: 0.005,
      audioRatio: 0.7,
      audioCompletionRatio: 1.6,
    };
    const written = { promptTokens: 628, cacheWriteTokens: 600, cacheWriteLongTokens: 600 };
    expect(computeQuota(price, 1, 500_000, usage(written))).toBe(4);
    const spoken = { completionTokens: 625, audioCompletionTokens: 625 };
    expect(computeQuota(price, 1, 500_000, usage(spoken))).toBe(4);
  });

  it("has no float drift at large counts", () => {
    const price = { ...priceOf("gpt-4o"), modelRatio: 0.1, completionRatio: 3 };
    expect(
      computeQuota(price, 0.3, 500_000, usage({ promptTokens: 1_000_000_000, completionTokens: 1_000_000_000 })),
    ).toBe(120_000_000);
  });
});

describe("fast path of the quota", () => {
  it("always equals the exact result", () => {
    const exact = (price: ModelPrice, ratio: number, of: TokenUsage): number => {
      const tokens =
        BigInt(of.promptTokens - of.cacheReadTokens) * SCALE +
        BigInt(of.cacheReadTokens) * toScaled(price.cacheRatio) +
        BigInt(of.completionTokens) * toScaled(price.completionRatio);
      const quota = Number(divideRounded(tokens * toScaled(price.modelRatio) * toScaled(ratio), SCALE ** 3n));
      return quota === 0 ? 1 : quota;
    };
    // A fixed sequence (a linear congruence), so that a failure can be repeated.
    let state = 12_345;
    const next = (below: number): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    for (let round = 0; round < 20_000; round++) {
      const price = {
        ...priceOf("gpt-4o"),
        modelRatio: (next(4_000) + 1) / 80,
        completionRatio: (next(60) + 1) / 8,
        cacheRatio: next(9) / 8,
      };
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
    expect(priceOf("nobody-knows", { fallback: ratios })).toMatchObject({
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
    expect(priceOf("nobody-knows", { selfUseModeEnabled: true })).toMatchObject({ modelRatio: 37.5 });
  });

  it("prefers an operator's completion ratio to every built-in rule", () => {
    expect(priceOf("gpt-4o", { completionRatio: { "gpt-4o": 7 } })).toMatchObject({ completionRatio: 7 });
  });

  it("prefers a fixed price to a ratio and folds custom GPT names", () => {
    expect(priceOf("gpt-4-gizmo-abc")).toMatchObject({ mode: "call", modelPrice: 0.1, name: "gpt-4-gizmo-*" });
  });

  it("does not find prices on the prototype", () => {
    expect(findModelPrice(tables, "constructor", "toString", false)).toBeUndefined();
    expect(groupRatioOf(tables, "constructor")).toBe(1);
  });
});

describe("toolPricesOf", () => {
  it("uses the longest matching model, with or without its vendor", () => {
    expect(toolPricesOf(DEFAULT_TOOL_PRICES, "o3-mini")).toMatchObject({ web_search: 10, file_search: 2.5 });
    expect(toolPricesOf(DEFAULT_TOOL_PRICES, "openai/gpt-5")).toMatchObject({ web_search: 10 });
    expect(toolPricesOf(DEFAULT_TOOL_PRICES, "gpt-4.1")).toMatchObject({ web_search: 25 });
    expect(toolPricesOf(DEFAULT_TOOL_PRICES, "gemini-2.5-flash-lite")).toMatchObject({ audio_input: 0.5 });
    expect(toolPricesOf({ "a:b": 1, "a:b*": 2, a: 3 }, "b")).toEqual({ a: 1 });
    expect(toolPriceOf({}, "constructor")).toBe(0);
  });
});

describe("groupRatioOf", () => {
  it("uses a user group's special ratio instead of the group's own", () => {
    expect(groupRatioOf(tables, "vip", "staff")).toBe(0.5);
    expect(groupRatioOf(tables, "vip", "default")).toBe(0.8);
    expect(groupRatioOf(tables, "vip", "constructor")).toBe(0.8);
  });
});

describe("builtInCompletionRatio", () => {
  it.each([
    ["gpt-3.5-turbo", 3],
    ["gpt-3.5-turbo-16k", 1.3333],
    ["gpt-3.5-turbo-1106", 2],
    ["gpt-4", 2],
    ["gpt-4-turbo-2024-04-09", 3],
    ["gpt-4o-2024-05-13", 3],
    ["gpt-4o-mini", 4],
    ["gpt-4.5-preview", 2],
    ["o3-mini-high", 4],
    ["claude-opus-4-20250514", 5],
    ["claude-2.1", 3],
    ["gemini-2.5-pro-exp-03-25", 4],
    ["gemini-2.5-pro-preview-03-25", 8],
    ["gemini-2.5-flash-preview-04-17-nothinking", 4],
    ["command-r-08-2024", 4],
    ["deepseek-reasoner", 4],
    ["ERNIE-Speed-8K", 2],
    ["text-embedding-3-small", 1],
  ])("%s is %d", (name, ratio) => {
    expect(builtInCompletionRatio(name)).toBe(ratio);
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
