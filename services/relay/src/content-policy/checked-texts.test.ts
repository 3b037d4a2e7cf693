import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { describe, expect, it } from "vitest";
import type { RelayCall } from "../core/call/relay-call.ts";
import type { Json } from "../core/chat/chat.ts";
import type { Dialect } from "../core/call/dialect.ts";
import { openAiChat } from "../dialects/openai-chat/openai-chat.ts";
import { openAiCompletions } from "../dialects/openai-completions/openai-completions.ts";
import { checkTaskText, applyContentPolicy, findTextRefusal } from "./content-policy.ts";

const options = optionsInForce([
  { key: "SensitiveWords", value: "forbidden fruit" },
  { key: "global.safe_check_exempt_enabled", value: "true" },
  { key: "global.safe_check_exempt_group", value: "vip" },
]);
const callOf = (group: string) => ({ group }) as RelayCall;

describe("what is said within a conversation", () => {
  const refusal = (text: string, group = "default") => findTextRefusal(callOf(group), options, text)?.code;

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
  const entering = (dialect: Dialect, body: Json) => () =>
    applyContentPolicy({ ...callOf("default"), dialect, body }, words);

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
    expect(() => checkTaskText("a forbidden fruit", "default", options)).toThrow(
      expect.objectContaining({ code: "sensitive_words_detected" }),
    );
    await expect(checkTaskText(`${"x ".repeat(50_000)}forbidden fruit`, "default", options)).rejects.toMatchObject({
      code: "sensitive_words_detected",
    });
    expect(checkTaskText("an apple", "default", options)).toBeUndefined();
    expect(checkTaskText("a forbidden fruit", "vip", options)).toBeUndefined();
  });
});
