import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, refused } from "../../sdk-coverage/coverage-table.ts";
import { PDF, PIXEL, QUESTION } from "./request-fixtures.ts";

const SOURCE_BASE = { model: "m", max_tokens: 64, messages: [{ role: "user", content: [QUESTION] }] };
const getSourceBody =
  (type: string) =>
  (source: Json): Json => ({
    ...SOURCE_BASE,
    messages: [{ role: "user", content: [{ type, source }, QUESTION] }],
  });

/** Where an image comes from. */
export const IMAGE_SOURCES: CoverageTable = {
  title: "Messages: sources of images",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaImageBlockParam", path: ["source"], members: "variants" },
  trial: { kind: "request", without: SOURCE_BASE, place: getSourceBody("image") },
  rows: {
    base64: {
      example: PIXEL,
      "openai-chat": converted("a data URL"),
      "openai-responses": converted("a data URL"),
      gemini: converted("`inlineData`"),
    },
    url: {
      example: { type: "url", url: "https://a.example/clock.png" },
      "openai-chat": converted("`image_url`"),
      "openai-responses": converted("`image_url`"),
      gemini: converted("`fileData`; inline, where the channel cannot fetch URLs"),
    },
    file: { example: { type: "file", file_id: "file_1" }, ...everywhere(refused("the file is stored at Anthropic")) },
  },
};

/** Where a document comes from. */
export const DOCUMENT_SOURCES: CoverageTable = {
  title: "Messages: sources of documents",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaRequestDocumentBlock", path: ["source"], members: "variants" },
  trial: { kind: "request", without: SOURCE_BASE, place: getSourceBody("document") },
  rows: {
    base64: {
      example: PDF,
      "openai-chat": converted("a file part"),
      "openai-responses": converted("an `input_file` part"),
      gemini: converted("`inlineData`"),
    },
    text: {
      example: { type: "text", media_type: "text/plain", data: "A clock shows the time." },
      ...everywhere(converted("text")),
    },
    content: {
      example: { type: "content", content: [{ type: "text", text: "A clock shows the time." }] },
      ...everywhere(converted("its blocks")),
    },
    url: {
      example: { type: "url", url: "https://a.example/clock.pdf" },
      "openai-chat": refused("OpenAI's chat takes no documents by URL; the error reports it"),
      "openai-responses": converted("`file_url`"),
      gemini: converted("`fileData`"),
    },
    file: { example: { type: "file", file_id: "file_1" }, ...everywhere(refused("the file is stored at Anthropic")) },
  },
};

/** Who wrote a message. */
export const ROLES: CoverageTable = {
  title: "Messages: roles",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaMessageParam", path: ["role"], members: "values" },
  trial: {
    kind: "request",
    without: { model: "m", max_tokens: 64, messages: [{ role: "user", content: "Hi" }] },
    place: (role: string) => ({
      model: "m",
      max_tokens: 64,
      messages: [
        { role: "user", content: "Hi" },
        { role, content: "Be brief." },
      ],
    }),
  },
  rows: {
    user: {
      example: "user",
      "openai-chat": converted("a user message"),
      "openai-responses": converted("a user message"),
      gemini: converted("`user`"),
    },
    assistant: {
      example: "assistant",
      "openai-chat": converted("an assistant message"),
      "openai-responses": converted("an assistant message"),
      gemini: converted("`model`"),
    },
    system: {
      example: "system",
      "openai-chat": converted("the system message"),
      "openai-responses": converted("`instructions`"),
      gemini: converted("`systemInstruction`"),
    },
  },
};
