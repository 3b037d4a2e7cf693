import type { ChatMessage, ContentPart, ImageSource, Json } from "../../../core/chat/chat.ts";
import { parseExactJson } from "../../../core/chat/exact-json.ts";
import { asObject, compact } from "../../../core/chat/json.ts";
import { getMarkedText } from "../../../core/chat/instructions.ts";
import { getText, toTurns } from "../../../core/chat/messages.ts";
import { toolArguments, toolNamesById } from "../../../core/chat/tool-calls.ts";

/** Google's documented placeholder for a missing reasoning signature (calls made by another model). */
export const NO_SIGNATURE = "skip_thought_signature_validator";
/** Ids created by this gateway, OpenAI or Anthropic: Gemini did not create them, so they are not sent back. */
const FOREIGN_ID = /^(call|toolu|chatcmpl)[_-]/;
const FILLER = "...";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  heic: "image/heic",
  heif: "image/heif",
};

type ToolCall = Extract<ContentPart, { type: "tool-call" }>;
type ToolResult = Extract<ContentPart, { type: "tool-result" }>;

/** Nothing is fetched here: Gemini reads public URLs itself, and requires the media type. */
function writeImage(source: ImageSource): Json {
  if (source.kind === "base64") return { inlineData: { mimeType: source.mediaType, data: source.data } };
  const extension = /\.(\w+)(?:[?#]|$)/.exec(source.url)?.[1]?.toLowerCase() ?? "";
  return { fileData: { mimeType: MEDIA_TYPES[extension] ?? "image/jpeg", fileUri: source.url } };
}

const ownId = (id: string): string | undefined => (FOREIGN_ID.test(id) ? undefined : id);

function writeToolCall({ id, name, argumentsText, signature }: ToolCall, needsSignature: boolean): Json {
  return compact({
    functionCall: compact({ id: ownId(id), name, args: toolArguments(argumentsText) }),
    thoughtSignature: signature ?? (needsSignature ? NO_SIGNATURE : undefined),
  });
}

/** A tool result as the object Gemini requires; media follow as parts of the same turn. */
function writeToolResult(part: ToolResult, names: ReadonlyMap<string, string>): Json[] {
  const text = getText(part.parts, "\n");
  const response = part.isError ? { error: text } : (asObject(parseExactJson(text)) ?? { result: text });
  const name = part.name ?? names.get(part.id) ?? part.id;
  const media = part.parts.filter(({ type }) => type !== "text").flatMap((inner) => writePart(inner, names));
  return [{ functionResponse: compact({ id: ownId(part.id), name, response }) }, ...media];
}

function writePart(part: ContentPart, names: ReadonlyMap<string, string>): Json[] {
  switch (part.type) {
    case "text":
      return [{ text: getMarkedText(part) }];
    case "image":
      return [writeImage(part.source)];
    case "audio":
      return [{ inlineData: { mimeType: `audio/${part.format}`, data: part.data } }];
    case "file":
      return [{ inlineData: { mimeType: part.mediaType, data: part.data } }];
    case "file-url":
      return [{ fileData: { mimeType: part.mediaType, fileUri: part.url } }];
    case "tool-result":
      return writeToolResult(part, names);
    default:
      return []; // Reasoning need not be sent back; the signature is sent with the call.
  }
}

function writeTurn({ role, parts }: ChatMessage, names: ReadonlyMap<string, string>, needsSignatures: boolean): Json {
  const firstCall = parts.find((part) => part.type === "tool-call");
  const written = parts.flatMap((part) =>
    part.type === "tool-call" ? [writeToolCall(part, needsSignatures && part === firstCall)] : writePart(part, names),
  );
  return { role: role === "assistant" ? "model" : "user", parts: written };
}

/** Calls of other models have no ids, so Gemini matches results of one function by order: that of the calls. */
function inOrderOfCalls({ role, parts }: ChatMessage, before: ChatMessage | undefined): ChatMessage {
  const calls = (before?.parts ?? []).filter(({ type }) => type === "tool-call");
  const places = new Map(calls.map((part, place) => ["id" in part ? part.id : "", place]));
  const getPlace = ({ id }: ToolResult): number => places.get(id) ?? -1;
  const results = parts.flatMap((part) => (part.type === "tool-result" ? [part] : []));
  const sorted = results.toSorted((one, other) => getPlace(one) - getPlace(other)).values();
  return { role, parts: parts.map((part) => (part.type === "tool-result" ? (sorted.next().value ?? part) : part)) };
}

/** The conversation as `contents`, never empty: Gemini refuses a call without contents. */
export function writeContents(messages: readonly ChatMessage[], needsSignatures: boolean): Json[] {
  const names = toolNamesById(messages);
  const readable = messages.map(({ role, parts }) => ({
    role,
    parts: parts.filter((part) => part.type !== "reasoning" && part.type !== "redacted-reasoning"),
  }));
  const contents = toTurns(readable)
    .map((turn, index, turns) => inOrderOfCalls(turn, turns[index - 1]))
    .map((turn) => writeTurn(turn, names, needsSignatures));
  // A conversation must begin with the user: "function call turn comes immediately after a user turn".
  return contents[0]?.["role"] === "user" ? contents : [{ role: "user", parts: [{ text: FILLER }] }, ...contents];
}
