import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { describe, expect, it } from "vitest";
import type { ChatCall } from "../calls/chat-call.ts";
import type { Json } from "../chat/chat.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { openAiChat } from "../dialects/openai-chat/openai-chat.ts";
import { openAiCompletions } from "../dialects/openai-completions/openai-completions.ts";
import { checkWords, enterContent, refusalOfText } from "./content-rules.ts";

const options = optionsInForce([
  { key: "SensitiveWords", value: "forbidden fruit" },
  { key: "global.safe_check_exempt_enabled", value: "true" },
  { key: "global.safe_check_exempt_group", value: "vip" },
]);
const callOf = (group: string) => ({ group }) as ChatCall;

describe("what is said within a conversation", () => {
  const refusal = (text: string, group = "default") => refusalOfText(callOf(group), options, text)?.code;

  it("is refused for a word of the list wherever it stands, and however long the event is", () => {
    expect(refusal("an apple")).toBeUndefined();
    expect(refusal("a Forbidden FRUIT")).toBe("sensitive_words_detected");
    expect(refusal(`${"x ".repeat(50_000)}forbidden fruit`)).toBe("sensitive_words_detected");
    expect(refusal("x ".repeat(200_000))).toBe("invalid_request");
  });

  it("is not checked for the exempt group", () => {
    expect(refusal(`${"x ".repeat(200_000)}forbidden fruit`, "vip")).toBeUndefined();
  });
});

describe("what is asked", () => {
  const words = optionsInForce([
    { key: "CheckSensitiveEnabled", value: "true" },
    { key: "CheckSensitiveOnPromptEnabled", value: "true" },
    { key: "SensitiveWords", value: "forbidden fruit" },
  ]);
  const entering = (dialect: Dialect, body: Json) => () => enterContent({ ...callOf("default"), dialect, body }, words);

  it.each([
    ["the suffix of a completion", openAiCompletions, { prompt: "an apple", suffix: "a forbidden fruit" }],
    ["the prediction of an answer", openAiChat, { prediction: { type: "content", content: "a forbidden fruit" } }],
  ])("is searched for words, too, in %s", (_, dialect, body) => {
    expect(entering(dialect, body)).toThrow(expect.objectContaining({ code: "sensitive_words_detected" }));
    expect(entering(dialect, { prompt: "an apple" })).not.toThrow();
  });
});

describe("what is to be drawn or sung", () => {
  it("is refused for a word of the list, but for the exempt group", async () => {
    expect(() => checkWords("a forbidden fruit", "default", options)).toThrow(
      expect.objectContaining({ code: "sensitive_words_detected" }),
    );
    await expect(checkWords(`${"x ".repeat(50_000)}forbidden fruit`, "default", options)).rejects.toMatchObject({
      code: "sensitive_words_detected",
    });
    expect(checkWords("an apple", "default", options)).toBeUndefined();
    expect(checkWords("a forbidden fruit", "vip", options)).toBeUndefined();
  });
});
