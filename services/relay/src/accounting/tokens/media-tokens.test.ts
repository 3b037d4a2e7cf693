import { describe, expect, it } from "vitest";
import { promptText, estimatePromptTokens } from "./token-estimate.ts";
import { imageSize } from "./image-size.ts";
import { imageTokens } from "./image-tokens.ts";

const bytes = (length: number, write: (buffer: Buffer) => void): string => {
  const buffer = Buffer.alloc(length);
  write(buffer);
  return buffer.toString("base64");
};
const png = (width: number, height: number): string =>
  bytes(33, (buffer) => {
    buffer.write("\u0089PNG\r\n\u001a\n", 0, "latin1");
    buffer.writeUInt32BE(width, 16);
    buffer.writeUInt32BE(height, 20);
  });
const jpeg = (width: number, height: number): string =>
  bytes(60, (buffer) => {
    buffer.writeUInt16BE(0xffd8, 0);
    // Camera metadata before the frame.
    buffer.writeUInt16BE(0xffe1, 2);
    buffer.writeUInt16BE(20, 4);
    buffer.writeUInt16BE(0xffc0, 24);
    buffer.writeUInt16BE(17, 26);
    buffer.writeUInt16BE(height, 29);
    buffer.writeUInt16BE(width, 31);
  });
const gif = (width: number, height: number): string =>
  bytes(13, (buffer) => {
    buffer.write("GIF89a");
    buffer.writeUInt16LE(width, 6);
    buffer.writeUInt16LE(height, 8);
  });
const webp = (width: number, height: number): string =>
  bytes(30, (buffer) => {
    buffer.write("RIFF");
    buffer.write("WEBPVP8X", 8);
    buffer.writeUIntLE(width - 1, 24, 3);
    buffer.writeUIntLE(height - 1, 27, 3);
  });
/** The given number of seconds, at 8000 one-byte samples per second. */
const wav = (seconds: number): string =>
  bytes(44 + seconds * 8000, (buffer) => {
    buffer.write("RIFF");
    buffer.write("WAVEfmt ", 8);
    buffer.writeUInt32LE(8000, 28);
  });

describe("image size", () => {
  it.each([
    ["PNG", png],
    ["JPEG", jpeg],
    ["GIF", gif],
    ["WebP", webp],
  ])("is read from the header of a %s", (_, make) => {
    expect(imageSize(make(1234, 567))).toEqual({ width: 1234, height: 567 });
  });
  it.each(["", "AAAA", "/9j/", "iVBORw0KGgo=", Buffer.from("RIFFxxxxWEBPVP8X").toString("base64")])(
    "is unknown if %j does not contain it",
    (data) => expect(imageSize(data)).toBeUndefined(),
  );
});

describe("image tokens", () => {
  it.each([
    // 768 × 768: four tiles.
    ["gpt-4o", 1024, 1024, undefined, 85 + 4 * 170],
    // 2048 × 4096 becomes 768 × 1536: six tiles.
    ["gpt-4o", 2048, 4096, "high", 85 + 6 * 170],
    ["gpt-4o", 512, 512, "auto", 85 + 170],
    ["gpt-4o", 2048, 4096, "low", 85],
    // Long sides are scaled to 2048 first.
    ["gpt-4o", 8192, 512, undefined, 85 + 4 * 170],
    ["gpt-4o-mini", 1024, 1024, undefined, 2833 + 4 * 5667],
    ["gpt-4o-mini", 1024, 1024, "low", 2833],
    ["o3", 1024, 1024, undefined, 75 + 4 * 150],
    ["openai/gpt-5", 1024, 1024, undefined, 70 + 4 * 140],
    ["gpt-4.1-mini", 1024, 1024, undefined, Math.ceil(1024 * 1.62)],
    ["gpt-5-nano", 1800, 2400, undefined, Math.ceil(1536 * 2.46)],
    ["o4-mini", 320, 320, undefined, 172],
    ["glm-4v", 9999, 9999, undefined, 1047],
    // Width × height ÷ 750, at most the value for a long side of 1568.
    ["claude-sonnet-4-5", 1000, 1000, undefined, 1334],
    ["claude-sonnet-4-5", 4000, 4000, undefined, 1600],
    ["gemini-2.5-flash", 384, 384, undefined, 258],
    ["gemini-2.5-flash", 1024, 1024, undefined, 4 * 258],
  ] as const)("%s: %i × %i, %s", (...row) => {
    const [model, width, height, detail, tokens] = row;
    expect(imageTokens(model, { width, height }, detail)).toBe(tokens);
  });

  it.each([
    ["gpt-4o", 765],
    ["claude-3-haiku", 1000],
    ["gemini-2.0-flash", 258],
  ])("defaults to an ordinary size for %s if the size is unknown", (model, tokens) => {
    expect(imageTokens(model, undefined, undefined)).toBe(tokens);
  });
});

describe("estimated prompt", () => {
  const dataUrl = `data:image/png;base64,${png(512, 512)}`;
  const getTokens = (body: Readonly<Record<string, unknown>>, model: string): number => {
    const { extraTokens } = promptText(body, model);
    expect(estimatePromptTokens(body, model)).toBe(extraTokens);
    return extraTokens - 3 - (body["messages"] ? 3 : 0);
  };
  const inChat = (part: object) => ({ messages: [{ role: "user", content: [part] }] });
  const inGemini = (part: object) => ({ contents: [{ role: "user", parts: [part] }] });

  it.each([
    ["OpenAI's image", "gpt-4o", inChat({ type: "image_url", image_url: { url: dataUrl } }), 255],
    [
      "OpenAI's image, low detail",
      "gpt-4o",
      inChat({ type: "image_url", image_url: { url: dataUrl, detail: "low" } }),
      85,
    ],
    ["an image by URL", "gpt-4o", inChat({ type: "image_url", image_url: { url: "https://x.test/a.png" } }), 765],
    [
      "Anthropic's image",
      "claude-3-haiku",
      inChat({ type: "image", source: { type: "base64", media_type: "image/png", data: png(750, 100) } }),
      100,
    ],
    ["Anthropic's document", "claude-3-haiku", inChat({ type: "document", source: { type: "url", url: "x" } }), 5000],
    ["Google's image", "gemini-2.0-flash", inGemini({ inlineData: { mimeType: "image/png", data: png(9, 9) } }), 258],
    ["Google's audio", "gemini-2.0-flash", inGemini({ inline_data: { mime_type: "audio/wav", data: wav(3) } }), 97],
    [
      "OpenAI's audio",
      "gpt-4o-audio-preview",
      inChat({ type: "input_audio", input_audio: { data: wav(3), format: "wav" } }),
      31,
    ],
    ["OpenAI's file", "gpt-4o", inChat({ type: "file", file: { filename: "a.pdf", file_data: "data:..." } }), 5000],
  ] as const)("counts %s", (_, model, body, tokens) => {
    expect(getTokens(body, model)).toBe(tokens);
  });

  it.each([
    ["a document's own text", inChat({ type: "document", source: { type: "text", data: "words" } }), "words"],
    [
      "a document's parts",
      inChat({ type: "document", source: { type: "content", content: [{ type: "text", text: "words" }] } }),
      "words",
    ],
    [
      "arguments of a tool",
      inChat({ type: "tool_use", id: "a", name: "f", input: { source: "one", file: "two", image_url: "three" } }),
      "f\none\ntwo\nthree",
    ],
    [
      "the schema of a tool",
      {
        tools: [
          { name: "f", input_schema: { properties: { source: { description: "s" }, file: { description: "t" } } } },
        ],
      },
      "f\ns\nt",
    ],
    ["instructions under Google's other name", { system_instruction: { parts: [{ text: "words" }] } }, "words"],
  ])("counts anything else as text: %s", (_, body, text) => {
    expect(promptText(body, "claude-3-haiku")).toMatchObject({ text, extraTokens: "messages" in body ? 6 : 3 });
  });
});
