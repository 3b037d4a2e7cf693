import { optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { NO_USAGE, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { getBuiltInCatalogue, getShippedRules } from "@turnpike/shared/catalogue/built-in-catalogue";
import { describe, expect, it } from "vitest";
import { getPrice, estimateHold } from "../../accounting/holds/meters/metering.ts";
import { createChargeLimits } from "../../accounting/holds/meters/charge-limit.ts";
import { createUsageEstimator } from "../../accounting/tokens/usage-estimator.ts";
import { computeCallQuota, getCallUsage } from "../../accounting/usage/call-quota.ts";
import type { Dialect } from "../../core/call/dialect.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { openAiImages } from "../../dialects/endpoints/images.ts";
import { openAiTranscriptions } from "../../dialects/endpoints/transcriptions.ts";
import { geminiGenerate } from "../../dialects/gemini-generate/gemini-generate.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";

const rules = {
  ...getShippedRules(),
  reader: { per_page: 0.002 },
  "reader-with-tokens": { input: 1, output: 4, per_page: 0.002 },
};
const options = optionsInForce([{ key: CATALOGUE_ROW, value: JSON.stringify({ rules }) }]);
const tables = toPriceTables(options);
const usageEstimator = createUsageEstimator();

type Setup = {
  dialect: Dialect;
  model: string;
  body?: Json;
  promptTokens?: number;
  maxOutputTokens?: number | undefined;
};

function createCall({ dialect, model, body = {}, promptTokens = 100, maxOutputTokens }: Setup): RelayCall {
  const caller = { known: { token: { id: 1, userId: 2, unlimitedQuota: true } }, principal: { group: "default" } };
  return {
    requestId: "r",
    dialect,
    model,
    body: { model, ...body },
    bodyText: JSON.stringify(body),
    form: dialect === openAiTranscriptions ? {} : undefined,
    maxOutputTokens,
    estimatePromptTokens: promptTokens,
    group: "default",
    tried: [],
    admitted: { caller, pinnedChannelId: undefined },
  } as unknown as RelayCall;
}

/** The hold that the relay places for a call, and what a usage of it is charged. */
function compare(setup: Setup, usage: Partial<TokenUsage>) {
  const call = createCall(setup);
  const price = getPrice(call, tables);
  const { request } = estimateHold(call, { tables, price }, { options, usageEstimator });
  const charged = getCallUsage(call, { ...NO_USAGE, ...usage }, price, "refuse");
  const charge = computeCallQuota(call, { price, groupRatio: 1, quotaPerUnit: tables.quotaPerUnit }, charged);
  return { hold: request.amount, least: request.least, charge };
}

const SHORT = { promptTokens: 100, completionTokens: 50 };
const search = { type: "web_search" };
const imageTool = { type: "image_generation" };

describe("hold of a call with tools", () => {
  it.each<[string, Setup, Partial<TokenUsage>]>([
    ["a model that always searches", { dialect: openAiChat, model: "gpt-4o-search-preview" }, SHORT],
    [
      "searches",
      { dialect: openAiResponses, model: "gpt-5", body: { tools: [search] } },
      { ...SHORT, toolCalls: { web_search: 3 } },
    ],
    [
      "Google's search",
      { dialect: geminiGenerate, model: "gemini-2.5-flash", body: { tools: [{ google_search: {} }] } },
      { ...SHORT, toolCalls: { google_search: 1 } },
    ],
    [
      "Google's searches",
      { dialect: geminiGenerate, model: "gemini-3-flash-preview", body: { tools: [{ googleSearch: {} }] } },
      { ...SHORT, toolCalls: { google_search: 4 } },
    ],
    [
      "bounded searches",
      {
        dialect: anthropicMessages,
        model: "claude-sonnet-4-5",
        body: { tools: [{ type: "web_search_20250305", max_uses: 7 }] },
      },
      { ...SHORT, toolCalls: { web_search: 7 } },
    ],
    [
      "web_search_options",
      { dialect: openAiChat, model: "gemini-2.5-flash", body: { web_search_options: {} } },
      { ...SHORT, toolCalls: { google_search: 1 } },
    ],
    [
      "file searches",
      { dialect: openAiResponses, model: "gpt-5", body: { tools: [{ type: "file_search" }], max_tool_calls: 9 } },
      { ...SHORT, toolCalls: { file_search: 9 } },
    ],
    [
      "an image of any kind",
      { dialect: openAiResponses, model: "gpt-5", body: { tools: [imageTool] } },
      { ...SHORT, toolCalls: { "image_generation/high/1536x1024": 2 } },
    ],
  ])("covers %s", (_, setup, usage) => {
    const { hold, charge } = compare(setup, usage);
    expect(charge).toBeGreaterThan(5_000);
    expect(hold).toBeGreaterThanOrEqual(charge);
  });

  it("requires a balance for one call of each tool, and holds no tool without a price", () => {
    const searches = (max_uses: number): Json => ({ tools: [{ type: "web_search_20250305", max_uses }] });
    const model = "claude-sonnet-4-5";
    const [plain, few, many] = [{}, searches(1), searches(9)].map((body) =>
      compare({ dialect: anthropicMessages, model, body }, SHORT),
    );
    expect((many?.hold ?? 0) - (plain?.hold ?? 0)).toBe(9 * 5_000);
    expect((many?.least ?? 0) - (plain?.least ?? 0)).toBe(5_000);
    expect(few?.least).toBe(many?.least);
    const own = compare(
      { dialect: openAiChat, model: "gpt-5", body: { tools: [{ type: "function", function: {} }] } },
      SHORT,
    );
    expect(own.hold).toBe(compare({ dialect: openAiChat, model: "gpt-5" }, SHORT).hold);
  });

  it("lets a caller's ceiling below a tool's price pass: the charge ends there", () => {
    const getLimit = createChargeLimits({ options: () => options, usageEstimator });
    const call = createCall({ dialect: openAiResponses, model: "gpt-5", body: { tools: [search] } });
    expect(getLimit(call, 0.005).completionTokens).toBeGreaterThan(100);
  });
});

describe("hold of a call without a bound", () => {
  it("is never for more tokens than the model writes", () => {
    const large = optionsInForce([
      { key: CATALOGUE_ROW, value: JSON.stringify({ rules }) },
      { key: "PreConsumedQuota", value: "1000000" },
    ]);
    const call = createCall({ dialect: openAiChat, model: "gpt-4o" });
    const price = getPrice(call, tables);
    const hold = estimateHold(call, { tables, price }, { options: large, usageEstimator });
    expect(hold.estimatedTokens).toBe(16_384);
    const choices = createCall({ dialect: openAiChat, model: "gpt-4o", body: { n: 3 } });
    expect(estimateHold(choices, { tables, price }, { options: large, usageEstimator }).tokensMax).toBe(3 * 16_384);
  });
});

/** A deterministic sequence (a linear congruential generator), so that a failure can be reproduced. */
function createSequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const TIERS = [undefined, "default", "flex", "priority", "batch", "fast", "ultrafast", "scale"];
const REGIONS = [undefined, "us", "eu", "mars"];

describe("hold", () => {
  const next = createSequence(4_711);
  const names = Object.keys(rules);
  const { models } = getBuiltInCatalogue();

  function randomUsage(promptTokens: number, completionTokens: number): TokenUsage {
    const cacheReadTokens = next(promptTokens);
    const cacheWriteTokens = next(promptTokens - cacheReadTokens);
    const rest = promptTokens - cacheReadTokens - cacheWriteTokens;
    const [tier, region] = [TIERS[next(TIERS.length)], REGIONS[next(REGIONS.length)]];
    return {
      promptTokens,
      completionTokens,
      cacheReadTokens,
      cacheWriteTokens,
      reasoningTokens: next(completionTokens + 1),
      cacheWriteLongTokens: next(cacheWriteTokens + 1),
      audioPromptTokens: next(rest + 1),
      imagePromptTokens: next(rest + 1),
      audioCacheReadTokens: next(cacheReadTokens + 1),
      audioCompletionTokens: next(completionTokens + 1),
      imageCompletionTokens: next(completionTokens + 1),
      ...(tier === undefined ? {} : { tier }),
      ...(region === undefined ? {} : { region }),
    };
  }

  /** What a call of each dialect requests: cache writes, audio, tools and a bound, and what of it the response may use. */
  function randomChat(model: string) {
    const dialect = [openAiChat, openAiResponses, anthropicMessages, geminiGenerate][next(4)] ?? openAiChat;
    const uses = next(8) + 1;
    const body: Json = {
      messages: [{ type: "input_audio", cache_control: { ttl: "1h" } }],
      input: { audio: "AUDIO" },
      tools: [
        { type: "web_search_20250305", max_uses: uses },
        { type: "file_search" },
        { google_search: {} },
        imageTool,
      ],
    };
    const used = {
      [dialect === geminiGenerate ? "google_search" : "web_search"]: /gemini-[12]/.test(model) ? 1 : uses,
      file_search: next(6),
      [`image_generation/${["low", "medium", "high", "auto"][next(4)]}/1024x1536`]: next(3),
    };
    const toolCalls = Object.fromEntries(Object.entries(used).filter(([, count]) => count > 0));
    return { setup: { dialect, body }, part: { toolCalls } };
  }

  const isImage = (model: string): boolean => models[model]?.mode === "image_generation";
  const isRecording = (model: string): boolean => models[model]?.mode === "audio_transcription";

  function randomCall(model: string): { setup: Setup; usage: TokenUsage } {
    const promptTokens = next(400_000) + 1;
    if (isImage(model)) {
      const n = next(4) + 1;
      const body = {
        prompt: "a house",
        n,
        quality: ["low", "high", ""][next(3)],
        size: ["1024x1024", ""][next(2)],
      };
      const usage = { ...NO_USAGE, promptTokens: 10, images: next(n) + 1 };
      return { setup: { dialect: openAiImages, model, body, promptTokens: 10 }, usage };
    }
    if (isRecording(model)) {
      const usage = { ...NO_USAGE, promptTokens, seconds: promptTokens * 0.06 };
      return { setup: { dialect: openAiTranscriptions, model, promptTokens, maxOutputTokens: 0 }, usage };
    }
    const completionTokens = next(20_000) + 1;
    const { setup, part } = randomChat(model);
    const usage = { ...randomUsage(promptTokens, completionTokens), ...part };
    return { setup: { ...setup, model, promptTokens, maxOutputTokens: completionTokens }, usage };
  }

  it(
    "is never below the charge, over ten thousand random calls of all dialects, with tools, images and recordings",
    { timeout: 120_000 },
    () => {
      const tooLow: unknown[] = [];
      for (let round = 0; round < 10_000; round++) {
        const { setup, usage } = randomCall(names[next(names.length)] ?? "");
        const { hold, charge } = compare(setup, usage);
        if (hold < charge) tooLow.push({ model: setup.model, body: setup.body, usage, hold, charge });
      }
      expect(tooLow.slice(0, 3)).toEqual([]);
    },
  );
});
