import { describe, expect, it } from "vitest";
import { type IterationUsage, NO_USAGE } from "@turnpike/contract/pricing/usage";
import { createGeneratedText } from "../../accounting/tokens/generated-text.ts";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { resolveUsage } from "./usage-resolution.ts";

const tokenizer: Tokenizer = {
  count: async (texts) => texts.map(({ length }) => length),
  sample: ({ length }, take) => take(length),
};
const call = { dialect: openAiChat, model: "o3", body: { messages: [{ role: "user", content: "Think." }] } };
const cut = { learned: { share: 0.8, tokens: 800, tookMs: 10_000 }, elapsedMs: 30_000, completionTokensMax: 5_000 };

/** The usage of a response whose client disconnected after this text. */
async function resolveCut(text: string, isReasoning: boolean) {
  const produced = createGeneratedText(tokenizer);
  if (text !== "") produced.add(text);
  const { usage, estimated } = await resolveUsage({
    call: call as unknown as RelayCall,
    reported: undefined,
    produced,
    wasCut: true,
    isPromptDue: true,
    cut: isReasoning ? cut : undefined,
    tokenizer,
  });
  expect([estimated, usage.promptTokens > 0]).toEqual([true, true]);
  return usage;
}

describe("usage of a response whose client disconnected", () => {
  it("has the learned reasoning although no text was visible", async () => {
    expect(await resolveCut("", true)).toMatchObject({ completionTokens: 800, reasoningTokens: 800 });
  });

  it("has the text and the learned reasoning", async () => {
    const { completionTokens, reasoningTokens } = await resolveCut("some text", true);
    expect(reasoningTokens).toBe(800);
    expect(completionTokens).toBeGreaterThan(800);
  });

  it("has no reasoning of a model that hides none", async () => {
    expect(await resolveCut("", false)).toMatchObject({ completionTokens: 0, reasoningTokens: 0 });
  });
});

function resolvePrompt(call: Partial<RelayCall>, reported?: { promptTokens: number; completionTokens: number }) {
  return resolveUsage({
    call: { dialect: openAiResponses, body: { input: "next" }, model: "m", ...call } as RelayCall,
    reported: reported && { ...NO_USAGE, ...reported },
    produced: { isEmpty: () => true, tokens: () => Promise.resolve(0) } as never,
    wasCut: true,
    isPromptDue: true,
    cut: undefined,
    tokenizer,
  });
}

describe("prompt of a call whose client disconnected", () => {
  it("includes the stored conversation that the call continues, unless upstream reported the prompt", async () => {
    const readContextTokens = () => Promise.resolve(100_000);
    expect((await resolvePrompt({ readContextTokens })).usage.promptTokens).toBe(100_004);
    expect((await resolvePrompt({})).usage.promptTokens).toBe(4);
    const reported = { promptTokens: 70, completionTokens: 1 };
    expect((await resolvePrompt({ readContextTokens }, reported)).usage.promptTokens).toBe(70);
  });
});

describe("prompt of a compaction that upstream had not reported when its response was cut", () => {
  const unknown = { kind: "compaction", isInTotals: false, usage: NO_USAGE };
  const known = { ...unknown, usage: { ...NO_USAGE, promptTokens: 7, completionTokens: 1 } };
  const body = { input: "x".repeat(1_000) };
  const resolve = async (promptTokens: number, iterations: readonly IterationUsage[]) => {
    const { usage } = await resolveUsage({
      call: { dialect: openAiResponses, body, model: "m" } as unknown as RelayCall,
      reported: { ...NO_USAGE, promptTokens, iterations },
      produced: createGeneratedText(tokenizer),
      wasCut: true,
      isPromptDue: true,
      cut: undefined,
      tokenizer,
    });
    return [usage.promptTokens, usage.iterations?.map((iteration) => iteration.usage.promptTokens)];
  };

  it("is charged in addition to the shorter one that upstream reported", async () => {
    expect(await resolve(100, [unknown])).toEqual([100, [1_000]]);
  });

  it("is not charged again where upstream reported the whole conversation, or nothing", async () => {
    expect(await resolve(600, [unknown])).toEqual([600, undefined]);
    expect(await resolve(0, [unknown])).toEqual([1_000, undefined]);
  });

  it("is charged as reported", async () => {
    expect(await resolve(100, [known])).toEqual([100, [7]]);
  });
});
