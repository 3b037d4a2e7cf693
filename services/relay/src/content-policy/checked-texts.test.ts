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
const getCall = (group: string) => ({ group }) as RelayCall;

describe("Realtime conversation text", () => {
  const refusal = (text: string, group = "default") => findTextRefusal(getCall(group), options, text)?.code;

  it("is refused for a listed word at any position, and for an event that is too long", () => {
    expect(refusal("an apple")).toBeUndefined();
    expect(refusal("a Forbidden FRUIT")).toBe("sensitive_words_detected");
    expect(refusal(`${"x ".repeat(50_000)}forbidden fruit`)).toBe("sensitive_words_detected");
    expect(refusal("x ".repeat(200_000))).toBe("invalid_request");
  });

  it("is not checked for the exempt group", () => {
    expect(refusal(`${"x ".repeat(200_000)}forbidden fruit`, "vip")).toBeUndefined();
  });
});

describe("prompt text", () => {
  const words = optionsInForce([
    { key: "CheckSensitiveEnabled", value: "true" },
    { key: "CheckSensitiveOnPromptEnabled", value: "true" },
    { key: "SensitiveWords", value: "forbidden fruit" },
  ]);
  const entering = (dialect: Dialect, body: Json) => () =>
    applyContentPolicy({ ...getCall("default"), dialect, body, bodyText: JSON.stringify(body) }, words);

  it.each([
    ["the suffix of a completion", openAiCompletions, { prompt: "an apple", suffix: "a forbidden fruit" }],
    ["the prediction of a response", openAiChat, { prediction: { type: "content", content: "a forbidden fruit" } }],
  ])("is checked for listed words in %s", (_, dialect, body) => {
    expect(entering(dialect, body)).toThrow(expect.objectContaining({ code: "sensitive_words_detected" }));
    expect(entering(dialect, { prompt: "an apple" })).not.toThrow();
  });
});

describe("prompt of an image or music task", () => {
  it("is refused for a listed word, except for the exempt group", async () => {
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
