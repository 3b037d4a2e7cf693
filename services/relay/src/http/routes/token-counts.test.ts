import { describe, expect, it } from "vitest";
import { countTokens, readCount } from "./token-counts.ts";

const tokenizer = { count: (texts: readonly string[]) => Promise.resolve(texts.map((text) => text.length)) };

describe("token count", () => {
  it("responds to Anthropic callers in their format, counting system and messages together", async () => {
    const body = { model: "claude", system: "Be brief.", messages: [{ role: "user", content: "Hi" }] };
    const counted = readCount(JSON.stringify(body), "anthropic", undefined);
    expect(counted.model).toBe("claude");
    expect(await countTokens(counted, "anthropic", tokenizer)).toEqual({ input_tokens: "Hi\nBe brief.".length + 6 });
  });

  it.each([
    { contents: [{ parts: [{ text: "Hi" }] }] },
    { generateContentRequest: { model: "models/g", contents: [{ parts: [{ text: "Hi" }] }] } },
  ])("responds to Google callers in their format: %j", async (body) => {
    const counted = readCount(JSON.stringify(body), "google", "g");
    expect(counted.model).toBe("g");
    expect(await countTokens(counted, "google", tokenizer)).toEqual({ totalTokens: 5 });
  });

  it.each([
    ["{", "anthropic"],
    ["[]", "google"],
    ['{"contents":[]}', "google"],
    ['{"messages":[{"role":"user"}]}', "anthropic"],
    ['{"model":"m","messages":[]}', "anthropic"],
  ] as const)("refuses %s", (text, form) => {
    expect(() => readCount(text, form, "m")).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});
