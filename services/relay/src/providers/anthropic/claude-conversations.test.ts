import { describe, expect, it } from "vitest";
import type { ChatMessage, ContentPart } from "../../core/chat/chat.ts";
import { build } from "./anthropic-fixtures.ts";

const text = (words: string) => ({ type: "text", text: words }) as const;
const USER: ChatMessage = { role: "user", parts: [text("hi")] };
const SIGNED = { type: "reasoning", text: "hm", signature: "sig" } as const;
const THINKS = { reasoning: { effort: "low" } } as const;
const SCHEMA = {
  responseFormat: { type: "json-schema", name: "n", schema: { type: "object", properties: {} } },
} as const;
const GO_ON = { role: "user", content: [text("Go on.")] };
const assistantText = (words: string): ChatMessage => ({ role: "assistant", parts: [text(words)] });

describe("conversation for Claude", () => {
  it.each<[string, string, { messages: ChatMessage[] }, unknown]>([
    [
      "is continued",
      "claude-sonnet-4-5",
      { messages: [USER, assistantText("b ")] },
      { role: "assistant", content: [text("b")] },
    ],
    [
      "lost the user's blank word",
      "claude-sonnet-4-5",
      { messages: [USER, assistantText("b "), { role: "user", parts: [text("  ")] }] },
      { role: "assistant", content: [text("b")] },
    ],
    ["is of a model that takes no prefill", "claude-opus-4-6", { messages: [USER, assistantText("b")] }, GO_ON],
    ["is combined with reasoning", "claude-sonnet-4-5", { messages: [USER, assistantText("b")], ...THINKS }, GO_ON],
    ["is combined with a schema", "claude-sonnet-4-5", { messages: [USER, assistantText("b")], ...SCHEMA }, GO_ON],
    [
      "is only reasoning",
      "claude-sonnet-4-5",
      { messages: [USER, { role: "assistant", parts: [SIGNED] }] },
      { role: "user", content: [text("hi")] },
    ],
  ])("ends with an assistant turn in the form the model accepts: it %s", (_, model, fields, last) => {
    expect((build(fields, { model })["messages"] as unknown[]).at(-1)).toEqual(last);
  });

  it("has the images of assistant turns in the next turn of the user, since Claude refuses them elsewhere", () => {
    const source = { kind: "base64", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
    const image = { type: "image", source } as const;
    const result = { type: "tool-result", id: "t", parts: [text("done")] } as const;
    const call = { type: "tool-call", id: "t", name: "f", argumentsText: "{}" } as const;
    const messages: ChatMessage[] = [
      USER,
      { role: "assistant", parts: [text("Here."), image, call] },
      { role: "user", parts: [result, text("Bluer")] },
      { role: "assistant", parts: [image] },
    ];
    const types = (build({ messages })["messages"] as { role: string; content: { type: string }[] }[]).map(
      ({ role, content }) => [role, ...content.map(({ type }) => type)],
    );
    expect(types).toEqual([
      ["user", "text"],
      ["assistant", "text", "tool_use"],
      ["user", "tool_result", "image", "text"],
    ]);
  });

  it("has no reasoning budget if the turn to continue does not begin with its reasoning", () => {
    const call = { type: "tool-call", id: "t", name: "f", argumentsText: "{}" } as const;
    const result = { type: "tool-result", id: "t", parts: [text("done")] } as const;
    const thinks = (...parts: ContentPart[]) => {
      const messages: ChatMessage[] = [
        USER,
        { role: "assistant", parts },
        { role: "user", parts: [result] },
        // Nothing of it remains.
        { role: "assistant", parts: [{ type: "reasoning", text: "unsigned" }] },
      ];
      return "thinking" in build({ messages, ...THINKS }, { model: "claude-sonnet-4-5" });
    };
    expect([thinks(SIGNED, call), thinks(call), thinks(text("a"), SIGNED, call)]).toEqual([true, false, false]);
  });

  it("keeps ids distinct that differ only in characters Anthropic refuses, and uses one name for JPEG", () => {
    const call = (id: string): ContentPart => ({ type: "tool-call", id, name: "f", argumentsText: "{}" });
    const image: ContentPart = { type: "image", source: { kind: "base64", mediaType: "image/jpg", data: "AAAA" } };
    const body = JSON.stringify(
      build({
        messages: [
          { role: "user", parts: [image] },
          { role: "assistant", parts: [call("f:0"), call("f.0")] },
        ],
      }),
    );
    expect(body).toContain('"media_type":"image/jpeg"');
    expect(new Set([...body.matchAll(/"id":"([a-zA-Z0-9_-]+)"/g)].map(([, id]) => id)).size).toBe(2);
  });

  it("has no reasoning for models without it, and requests no more tokens than those generate", () => {
    const body = build({ messages: [USER], reasoning: { effort: "medium" } }, { model: "claude-3-5-sonnet-20241022" });
    expect(body).not.toHaveProperty("thinking");
    expect(build({ messages: [USER] }, { model: "claude-3-haiku-20240307" })["max_tokens"]).toBe(4_096);
  });
});
