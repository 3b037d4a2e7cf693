import { createHash } from "node:crypto";
import type { ChatMessage, ContentPart } from "../../../core/chat/chat.ts";
import { toDataUrl } from "../../../core/chat/data-url.ts";
import { compact } from "../../../core/chat/json.ts";
import { getText, toTurnsWithMovedMedia, unsupportedPart } from "../../../core/chat/messages.ts";
import { getResultParts, isCacheBreakpoint, writeCacheControl } from "./cache-control.ts";
import type { MessageForm } from "./message-form.ts";
import { getExpectedReturn, writeReasoning } from "./response/returned-reasoning.ts";

type ToolResult = Extract<ContentPart, { type: "tool-result" }>;

function writePart(part: ContentPart, { cacheBreakpoints }: MessageForm): object[] {
  switch (part.type) {
    case "text": {
      const mark = writeCacheControl(part.cacheControl, cacheBreakpoints, "text");
      return part.text === "" ? [] : [{ type: "text", text: part.text, ...mark }];
    }
    case "image": {
      const { source, detail, cacheControl } = part;
      const url = source.kind === "url" ? source.url : toDataUrl(source.mediaType, source.data);
      const mark = writeCacheControl(cacheControl, cacheBreakpoints, "media");
      return [{ type: "image_url", image_url: compact({ url, detail }), ...mark }];
    }
    case "audio":
      return [{ type: "input_audio", input_audio: { data: part.data, format: part.format } }];
    case "file": {
      const mark = writeCacheControl(part.cacheControl, cacheBreakpoints, "media");
      const file = { filename: part.name, file_data: toDataUrl(part.mediaType, part.data) };
      return [{ type: "file", file, ...mark }];
    }
    case "file-url":
      throw unsupportedPart("a document by URL");
    default:
      return [];
  }
}

/**
 * Text stays a plain string unless it has a cache breakpoint: many providers with this format support nothing else.
 */
function writeContent(parts: readonly ContentPart[], form: MessageForm, separator = "\n"): string | object[] {
  const isPlain = parts.every((part) => part.type === "text" && !isCacheBreakpoint(part, form.cacheBreakpoints));
  return isPlain ? getText(parts, separator) : parts.flatMap((part) => writePart(part, form));
}

const ID_LENGTH_MAX = 40;

/** Other providers' ids may be longer than OpenAI accepts; calls and results must still match. */
export const callId = (id: string): string =>
  id.length <= ID_LENGTH_MAX ? id : `call_${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;

const isText = ({ type }: ContentPart): boolean => type === "text";

const writeToolResult = (result: ToolResult, form: MessageForm): object => ({
  role: "tool",
  tool_call_id: callId(result.id),
  content: writeContent(getResultParts(result).filter(isText), form),
});

/** Tool messages carry only text: other parts of a result follow in the next user message. */
function writeUser(parts: readonly ContentPart[], form: MessageForm): object[] {
  const results = parts.flatMap((part) => (part.type === "tool-result" ? [part] : []));
  const media = results.flatMap((result) => result.parts.filter((part) => !isText(part)));
  const own = parts.filter((part) => part.type !== "tool-result");
  const content = [...media, ...own];
  const user =
    content.length > 0 || results.length === 0 ? [{ role: "user", content: writeContent(content, form) }] : [];
  return [...results.map((result) => writeToolResult(result, form)), ...user];
}

function writeAssistant(parts: readonly ContentPart[], form: MessageForm): object[] {
  const reasoning = writeReasoning(parts, form.reasoning);
  const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  const content = writeContent(parts.filter(isText), form, "");
  const toolCalls = calls.map(({ id, name, argumentsText }) => ({
    id: callId(id),
    type: "function",
    function: { name, arguments: argumentsText === "" ? "{}" : argumentsText },
  }));
  if (toolCalls.length === 0) return [{ role: "assistant", content, ...reasoning }];
  return [{ role: "assistant", content: content === "" ? null : content, ...reasoning, tool_calls: toolCalls }];
}

/**
 * The conversation as OpenAI's messages, the system prompt first. Neighbours of one role are merged: all results of
 * parallel calls must precede the message with their images.
 */
export function writeMessages(
  system: readonly ContentPart[],
  messages: readonly ChatMessage[],
  given: MessageForm = {},
): object[] {
  const prompt = writeContent(system.filter(isText), given, "\n\n");
  const { reasoning: known, cacheBreakpoints } = given;
  const form: MessageForm = compact({ reasoning: getExpectedReturn(known, messages), cacheBreakpoints });
  const turns = toTurnsWithMovedMedia(messages).flatMap(({ role, parts }) =>
    role === "user" ? writeUser(parts, form) : writeAssistant(parts, form),
  );
  return prompt === "" ? turns : [{ role: "system", content: prompt }, ...turns];
}
