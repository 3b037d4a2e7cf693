import { createHash } from "node:crypto";
import type { ChatMessage, ContentPart } from "../../../core/chat/chat.ts";
import { toDataUrl } from "../../../core/chat/data-url.ts";
import { compact } from "../../../core/chat/json.ts";
import { getText, toTurnsOfOpenAi } from "../../../core/chat/messages.ts";

type ToolResult = Extract<ContentPart, { type: "tool-result" }>;

function writePart(part: ContentPart): object[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "image": {
      const { source, detail } = part;
      const url = source.kind === "url" ? source.url : toDataUrl(source.mediaType, source.data);
      return [{ type: "image_url", image_url: compact({ url, detail }) }];
    }
    case "audio":
      return [{ type: "input_audio", input_audio: { data: part.data, format: part.format } }];
    case "file":
      return [{ type: "file", file: { filename: part.name, file_data: toDataUrl(part.mediaType, part.data) } }];
    default:
      return [];
  }
}

/** A single text stays a plain string: many providers with this format support nothing else. */
function writeContent(parts: readonly ContentPart[]): string | object[] {
  return parts.every((part) => part.type === "text") ? getText(parts, "\n") : parts.flatMap(writePart);
}

const ID_LENGTH_MAX = 40;

/** Other providers' ids may be longer than OpenAI accepts; calls and results must still match. */
export const callId = (id: string): string =>
  id.length <= ID_LENGTH_MAX ? id : `call_${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;

const writeToolResult = ({ id, parts }: ToolResult): object => ({
  role: "tool",
  tool_call_id: callId(id),
  content: getText(parts, "\n"),
});

/** Tool messages carry only text: other parts of a result follow in the next user message. */
function writeUser(parts: readonly ContentPart[]): object[] {
  const results = parts.flatMap((part) => (part.type === "tool-result" ? [part] : []));
  const media = results.flatMap((result) => result.parts.filter((part) => part.type !== "text"));
  const own = parts.filter((part) => part.type !== "tool-result");
  const content = [...media, ...own];
  const user = content.length > 0 || results.length === 0 ? [{ role: "user", content: writeContent(content) }] : [];
  return [...results.map(writeToolResult), ...user];
}

/** The assistant turns whose reasoning a provider requires back; most providers refuse it. */
export type ReasoningReturn = "given" | "always";

function writeReasoning(parts: readonly ContentPart[], wanted: ReasoningReturn | undefined): object {
  const reasoning = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
  return wanted === "always" || (wanted === "given" && reasoning !== "") ? { reasoning_content: reasoning } : {};
}

function writeAssistant(parts: readonly ContentPart[], wanted: ReasoningReturn | undefined): object[] {
  const reasoning = writeReasoning(parts, wanted);
  const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  const text = getText(parts);
  const toolCalls = calls.map(({ id, name, argumentsText }) => ({
    id: callId(id),
    type: "function",
    function: { name, arguments: argumentsText === "" ? "{}" : argumentsText },
  }));
  if (toolCalls.length === 0) return [{ role: "assistant", content: text, ...reasoning }];
  return [{ role: "assistant", content: text === "" ? null : text, ...reasoning, tool_calls: toolCalls }];
}

/**
 * The conversation as OpenAI's messages, the system prompt first. Neighbours of one role are merged: all results of
 * parallel calls must precede the message with their images.
 */
export function writeMessages(
  system: readonly ContentPart[],
  messages: readonly ChatMessage[],
  wanted?: ReasoningReturn,
): object[] {
  const prompt = getText(system, "\n\n");
  const turns = toTurnsOfOpenAi(messages).flatMap(({ role, parts }) =>
    role === "user" ? writeUser(parts) : writeAssistant(parts, wanted),
  );
  return prompt === "" ? turns : [{ role: "system", content: prompt }, ...turns];
}
