import { describe, expect, it } from "vitest";
import type { ChatResponse, StreamPart } from "../../core/chat/chat.ts";
import { createReasoningAsText, reasoningAsText } from "./reasoning-as-text.ts";

const reasoning = (text: string): StreamPart => ({ type: "reasoning-delta", text });
const word = (text: string): StreamPart => ({ type: "text-delta", text });
const finish: StreamPart = { type: "finish", reason: "stop", usage: undefined };

describe("reasoning as text", () => {
  it.each<[string, StreamPart[][], string[]]>([
    [
      "is put between tags before the content, once, at any chunk boundary",
      [
        [reasoning("a")],
        [reasoning("b"), { type: "reasoning-signature", signature: "s" }],
        [word("c")],
        [word("d")],
        [finish],
      ],
      ["<think>\na", "b", "\n</think>\n", "c", "d"],
    ],
    [
      "is closed before tool calls",
      [[reasoning("a"), { type: "tool-call-start", index: 0, id: "1", name: "t" }]],
      ["<think>\na", "\n</think>\n"],
    ],
    ["is closed at the end", [[reasoning("a")], [finish]], ["<think>\na", "\n</think>\n"]],
    ["is nothing where there was none", [[word("a")], [finish]], ["a"]],
  ])("%s", (_, chunks, texts) => {
    const convert = createReasoningAsText();
    const parts = chunks.flatMap((chunk) => convert(chunk));
    expect(parts.flatMap((part) => (part.type === "text-delta" ? [part.text] : []))).toEqual(texts);
    expect(parts.filter(({ type }) => type.startsWith("reasoning"))).toEqual([]);
  });

  it("is the first text of a non-streaming response", () => {
    const response = {
      parts: [
        { type: "reasoning", text: "a" },
        { type: "text", text: "b" },
      ],
    } as unknown as ChatResponse;
    expect(reasoningAsText(response).parts).toEqual([
      { type: "text", text: "<think>\na\n</think>\n" },
      { type: "text", text: "b" },
    ]);
  });
});
