import type { ChatMessage, ContentPart, Json } from "../../core/chat/chat.ts";
import { toDataUrl } from "../../core/chat/data-url.ts";
import { readInput } from "../../core/vendors/custom-input.ts";
import { compact } from "../../core/chat/json.ts";
import { getText, toTurnsWithMovedMedia, unsupportedPart } from "../../core/chat/messages.ts";
import { callId } from "../formats/openai/openai-messages.ts";

/** Parts of a user message or a tool result: these models accept text, images and files, but no audio. */
function writePart(part: ContentPart): Json[] {
  switch (part.type) {
    case "text":
      return [{ type: "input_text", text: part.text }];
    case "image": {
      const { source, detail } = part;
      const url = source.kind === "url" ? source.url : toDataUrl(source.mediaType, source.data);
      return [compact({ type: "input_image", image_url: url, detail })];
    }
    case "file":
      return [{ type: "input_file", filename: part.name, file_data: toDataUrl(part.mediaType, part.data) }];
    case "file-url":
      return [{ type: "input_file", file_url: part.url }];
    case "audio":
      throw unsupportedPart("audio");
    default:
      return [];
  }
}

type ToolCall = Extract<ContentPart, { type: "tool-call" }>;

const isText = (part: ContentPart): boolean => part.type === "text";

/** Results are separate items; parts other than text follow as a list. */
function writeUser(parts: readonly ContentPart[], customs: ReadonlySet<string>): Json[] {
  const results = parts.flatMap((part) => (part.type === "tool-result" ? [part] : []));
  const content = parts.flatMap(writePart);
  return [
    ...results.map(({ id, name, parts }) => ({
      type: customs.has(name ?? "") ? "custom_tool_call_output" : "function_call_output",
      call_id: callId(id),
      output: parts.every(isText) ? getText(parts, "\n") : parts.flatMap(writePart),
    })),
    ...(content.length === 0 ? [] : [{ role: "user", content }]),
  ];
}

function writeCall({ id, name, argumentsText }: ToolCall, customs: ReadonlySet<string>): Json {
  const call_id = callId(id);
  if (customs.has(name)) return { type: "custom_tool_call", call_id, name, input: readInput(argumentsText) };
  return { type: "function_call", call_id, name, arguments: argumentsText === "" ? "{}" : argumentsText };
}

/** The assistant's text and calls. Its reasoning is not sent back: the model could not read that of others. */
function writeAssistant(parts: readonly ContentPart[], customs: ReadonlySet<string>): Json[] {
  const content = parts.flatMap((part) =>
    part.type === "text" && part.text !== "" ? [{ type: "output_text", text: part.text }] : [],
  );
  return [
    ...(content.length === 0 ? [] : [{ role: "assistant", content }]),
    ...parts.flatMap((part) => (part.type === "tool-call" ? [writeCall(part, customs)] : [])),
  ];
}

/** The conversation as the `input` of a responses request; `customs` names the custom tools. Throws RelayError for audio. */
export const writeInput = (messages: readonly ChatMessage[], customs: ReadonlySet<string>): Json[] =>
  toTurnsWithMovedMedia(messages).flatMap(({ role, parts }) =>
    role === "user" ? writeUser(parts, customs) : writeAssistant(parts, customs),
  );
