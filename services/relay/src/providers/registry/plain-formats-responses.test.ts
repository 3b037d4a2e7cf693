import { describe, expect, it } from "vitest";
import type { ContentPart, Json } from "../../core/chat/chat.ts";
import { readResponse, readParts, readStreamBytes } from "../shared/fixtures.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { toResponse } from "../shared/event-list.ts";
import { provider } from "./fixtures.ts";

const text = (words: string): ContentPart => ({ type: "text", text: words });
const HELLO = "Hello! How can I help you today?";
const CASES: readonly (readonly [number, string, string, boolean])[] = [
  [11, "palm", HELLO, false],
  [15, "baidu", HELLO, true],
  [16, "zhipu-v3", "Hello!\nHow can I help you today?", true],
  [21, "ai-proxy", `${HELLO}\n\n1. [Manual](https://docs.example.com/manual)`, false],
  [37, "dify", HELLO, true],
];

describe("responses", () => {
  it.each(CASES)("of type %i (%s) is parsed in non-streaming form", (type, folder, words, hasUsage) => {
    const response = provider(type).parseResponse(readResponse(folder, "text"));
    expect(response).toMatchObject({ parts: [text(words)], finishReason: "stop" });
    expect(response.usage?.completionTokens).toBe(hasUsage ? 9 : undefined);
  });

  it.each(CASES)(
    "of type %i (%s) is parsed as a stream, and ends with its end mark",
    (type, folder, words, hasUsage) => {
      const { newStreamReader, streaming } = provider(type);
      const bytes = streaming?.neverStreams
        ? Buffer.from(JSON.stringify(readResponse(folder, "text")))
        : readStreamBytes(folder, "text");
      for (const pieceBytes of [3, bytes.length]) {
        const reader = newStreamReader();
        const response = toResponse(readParts(reader, bytes, pieceBytes, streaming?.newFrameSplitter?.()));
        expect(response).toMatchObject({ parts: [text(words)], finishReason: "stop" });
        expect(response.usage?.promptTokens).toBe(hasUsage ? 15 : undefined);
        expect(reader.isComplete()).toBe(true);
      }
    },
  );

  it.each([15, 21, 37])("of type %i is not complete if it is cut", (type) => {
    const folder = { 15: "baidu", 21: "ai-proxy", 37: "dify" }[type] ?? "";
    const bytes = readStreamBytes(folder, "text");
    const reader = provider(type).newStreamReader();
    readParts(reader, bytes.subarray(0, bytes.lastIndexOf("data:")));
    expect(reader.isComplete()).toBe(false);
  });

  it("contains function calls of Baidu v1", () => {
    const complete = provider(15).parseResponse(readResponse("baidu", "tools"));
    const pieces = toResponse(readParts(provider(15).newStreamReader(), readStreamBytes("baidu", "tools")));
    for (const response of [complete, pieces]) {
      expect(response).toMatchObject({
        parts: [{ type: "tool-call", name: "get_weather", argumentsText: '{"city":"Paris"}' }],
        finishReason: "tool-calls",
      });
    }
  });
});

describe("failure with status 200", () => {
  it.each<[number, Json, number]>([
    [15, { error_code: 18, error_msg: "no" }, 429],
    [15, { error_code: 110, error_msg: "no" }, 401],
    [15, { error_code: 336003, error_msg: "no" }, 400],
    [15, { error_code: 336100, error_msg: "no" }, 503],
    [16, { code: 1302, msg: "no", success: false }, 429],
    [16, { code: 1002, msg: "no", success: false }, 401],
    [16, { code: 1214, msg: "no", success: false }, 400],
    [16, { code: 500, msg: "no", success: false }, 500],
    [21, { success: false, errCode: 429, message: "no" }, 429],
    [37, { code: "app_unavailable", message: "no", status: 400 }, 400],
    [11, { error: { code: 403, message: "no", status: "PERMISSION_DENIED" } }, 403],
  ])("of type %i: %j maps to %i", (type, body, status) => {
    const read = (): unknown => provider(type).parseResponse(body);
    expect(read).toThrow(StreamFailure);
    expect(read).toThrow(expect.objectContaining({ status, message: "no" }));
    expect(provider(type).parseError(status, body).message).toBe("no");
  });

  it.each([
    [15, "baidu", 503],
    [16, "zhipu-v3", 503],
    [37, "dify", 503],
  ])("in the middle of a stream of type %i (%s) maps to %i", (type, folder, status) => {
    const { newStreamReader, streaming } = provider(type);
    const read = (): unknown =>
      readParts(newStreamReader(), readStreamBytes(folder, "error"), 9, streaming?.newFrameSplitter?.());
    expect(read).toThrow(expect.objectContaining({ status }));
  });

  it.each([11, 15, 16, 21, 37])("is unreadable for type %i if the body is not a response", (type) => {
    expect(() => provider(type).parseResponse("<html>")).toThrow(StreamFailure);
  });

  it("reports PaLM's filter as a refusal of the prompt", () => {
    const read = (): unknown => provider(11).parseResponse(readResponse("palm", "blocked"));
    expect(read).toThrow(expect.objectContaining({ status: 400, message: expect.stringContaining("SAFETY") }));
  });
});
