import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { geminiGenerate } from "./gemini-generate.ts";

const PATH = { model: "m", stream: false };
const USER = { role: "user", parts: [{ text: "hi" }] };
const parse = (...contents: readonly Json[]) => geminiGenerate.parseRequest({ contents: [USER, ...contents] }, PATH);
const TURN = { role: "user", parts: [{ type: "text", text: "hi" }] };

describe("part of a Gemini content", () => {
  it.each<[Json]>([
    [{ thoughtSignature: "c2ln" }],
    [{ thought: true, thought_signature: "c2ln" }],
    [{ partMetadata: { id: 1 }, mediaResolution: { level: "MEDIA_RESOLUTION_LOW" } }],
    [{ toolCall: { id: "t", toolType: "GOOGLE_SEARCH_WEB" } }],
    [{ tool_response: { id: "t" } }],
    [{ executableCode: { language: "PYTHON", code: "1" } }],
  ])("is left out if a model need not understand it, also as the only one of its turn: %j", (part) => {
    expect(parse({ role: "model", parts: [part, { text: "a" }] }).messages).toEqual([
      TURN,
      { role: "assistant", parts: [{ type: "text", text: "a" }] },
    ]);
    expect(parse({ role: "model", parts: [part] }).messages).toEqual([TURN]);
  });

  it("is the text of a transcription", () => {
    const part = { audioTranscription: { text: "good morning", languageCode: "en" } };
    expect(parse({ role: "model", parts: [part] }).messages[1]).toEqual({
      role: "assistant",
      parts: [{ type: "text", text: "good morning" }],
    });
  });

  it("is a document to fetch where a PDF has an address on the web", () => {
    const at = (fileUri: string, mimeType = "application/pdf") =>
      parse({ role: "user", parts: [{ fileData: { fileUri, mimeType, displayName: "a.pdf" } }] }).messages;
    const part = { type: "file-url", name: "a.pdf", mediaType: "application/pdf", url: "https://a.example/1" };
    expect(at("https://a.example/1")[0]?.parts[1]).toEqual(part);
    const stored = "https://generativelanguage.googleapis.com/v1beta/files/1";
    for (const url of [stored, "gs://bucket/1"]) expect(() => at(url)).toThrow("contents[1].parts[0].fileData");
    expect(() => at("https://a.example/1.mp4", "video/mp4")).toThrow("contents[1].parts[0].fileData");
  });

  it("is refused by name if it has another field, and a turn without parts too", () => {
    expect(() => parse({ role: "model", parts: [{ smell: "x" }] })).toThrow("contents[1].parts[0]");
    expect(() => parse({ role: "model", parts: [] })).toThrow("contents[1].parts: must not be empty");
  });
});

describe("tool that Google runs", () => {
  it.each(["retrieval", "mcpServers", "mcp_servers", "exaAiSearch", "parallelAiSearch", "fileSearch", "urlContext"])(
    "is left out: %s",
    (name) => {
      const body = { contents: [USER], tools: [{ [name]: {} }, { functionDeclarations: [{ name: "f" }] }] };
      expect(geminiGenerate.parseRequest(body, PATH).tools?.map((tool) => tool.name)).toEqual(["f"]);
      expect(geminiGenerate.getOwnTools?.(body)).toBe("optional");
    },
  );
});
