import type { ChatMessage, ContentPart, Json } from "../../core/chat/chat.ts";
import { asList, asObject, asText, compact } from "../../core/chat/json.ts";
import { joinNeighbours } from "../../core/chat/messages.ts";
import { isSignedReasoning } from "../../core/chat/reasoning.ts";
import { isEncodedReasoning, decodeReasoning } from "../../core/chat/encrypted-reasoning.ts";
import { newToolCallId } from "../../core/chat/tool-calls.ts";
import { commonName } from "../shared/tool-names.ts";
import { invalidField, optionalList, requireName, requireObject, requireText } from "../shared/fields.ts";

/** A field by its JSON name or its proto name: Google accepts both. */
export const either = (value: Json, camel: string, snake: string): unknown => value[camel] ?? value[snake];

/** A list, or its single item: Google accepts both, and its own examples contain `"parts": {"text": "…"}`. */
export const toArray = (value: unknown): unknown => (asObject(value) ? [value] : value);

/** Google's audio subtypes mapped to OpenAI's audio formats. */
const AUDIO_FORMATS: Readonly<Record<string, string>> = { mpeg: "mp3", "x-mp3": "mp3", "x-wav": "wav", wave: "wav" };

function getAudio(mediaType: string): string {
  const name = mediaType.slice("audio/".length);
  return AUDIO_FORMATS[name] ?? name;
}

function parseInline(inline: Json, path: string): ContentPart {
  const mediaType = requireName(either(inline, "mimeType", "mime_type"), `${path}.mimeType`);
  const data = requireName(inline["data"], `${path}.data`);
  if (mediaType.startsWith("image/")) return { type: "image", source: { kind: "base64", mediaType, data } };
  if (mediaType.startsWith("audio/")) return { type: "audio", format: getAudio(mediaType), data };
  return { type: "file", name: asText(either(inline, "displayName", "display_name")) ?? "file", mediaType, data };
}

/** Other addresses are those of Google's storage, which no other provider reads. */
const WEB = /^https?:\/\/(?!generativelanguage\.googleapis\.com\/)/i;

function parseFile(file: Json, path: string): ContentPart {
  const url = requireName(either(file, "fileUri", "file_uri"), `${path}.fileUri`);
  const mediaType = asText(either(file, "mimeType", "mime_type")) ?? "";
  const name = asText(either(file, "displayName", "display_name"));
  if (mediaType === "application/pdf" && WEB.test(url))
    return compact({ type: "file-url" as const, name, mediaType, url });
  if (mediaType !== "" && !mediaType.startsWith("image/"))
    throw invalidField(path, "only images and PDF documents can be sent by URL to this model");
  return { type: "image", source: { kind: "url", url } };
}

/** Parses a function call, preceded by the reasoning that another model signed before it. */
function parseCall(call: Json, part: Json, path: string): ContentPart[] {
  const given = asText(either(part, "thoughtSignature", "thought_signature"));
  const toolCall = compact({
    type: "tool-call" as const,
    id: asText(call["id"]) || newToolCallId(),
    name: commonName(requireName(call["name"], `${path}.name`)),
    argumentsText: JSON.stringify(requireObject(call["args"] ?? {}, `${path}.args`)),
    signature: isEncodedReasoning(given) ? undefined : given,
  });
  return [...decodeReasoning(given), toolCall];
}

/** Images and files that a tool returned with its text. */
function parseResultMedia(result: Json, path: string): ContentPart[] {
  return asList(result["parts"]).flatMap((value, index) => {
    const at = `${path}.parts[${index}]`;
    const part = requireObject(value, at);
    const inline = asObject(either(part, "inlineData", "inline_data"));
    if (inline) return [parseInline(inline, `${at}.inlineData`)];
    const file = asObject(either(part, "fileData", "file_data"));
    if (file) return [parseFile(file, `${at}.fileData`)];
    throw invalidField(at, "is not a part that this model can be sent");
  });
}

/** Parses a function response: a single `result` or `output` string is its text, anything else is passed as JSON. */
function parseResult(result: Json, path: string): ContentPart {
  const response = asObject(result["response"]) ?? {};
  const fields = Object.keys(response);
  const value = fields.length === 1 ? (response["result"] ?? response["output"] ?? response["error"]) : undefined;
  const name = commonName(requireName(result["name"], `${path}.name`));
  const text = typeof value === "string" ? value : JSON.stringify(value ?? response);
  return compact({
    type: "tool-result" as const,
    id: asText(result["id"]) ?? "",
    name,
    parts: [{ type: "text" as const, text }, ...parseResultMedia(result, path)],
    isError: fields.length === 1 && response["error"] !== undefined ? true : undefined,
  });
}

const OWN_PARTS = [
  "executableCode",
  "executable_code",
  "codeExecutionResult",
  "code_execution_result",
  "toolCall",
  "tool_call",
  "toolResponse",
  "tool_response",
] as const;

/** Fields that describe a part; one that has nothing else is a signature at the end of a stream, or empty. */
const DESCRIPTION =
  /^(thought|thought_?signature|part_?metadata|media_?resolution|media_?processing|video_?metadata|speech_?metadata)$/i;
const isBare = (part: Json): boolean => Object.keys(part).every((name) => DESCRIPTION.test(name));

function parsePart(value: unknown, path: string): ContentPart[] {
  const part = requireObject(value, path);
  const inline = asObject(either(part, "inlineData", "inline_data"));
  if (inline) return [parseInline(inline, `${path}.inlineData`)];
  const file = asObject(either(part, "fileData", "file_data"));
  if (file) return [parseFile(file, `${path}.fileData`)];
  const call = asObject(either(part, "functionCall", "function_call"));
  if (call) return parseCall(call, part, `${path}.functionCall`);
  const result = asObject(either(part, "functionResponse", "function_response"));
  if (result) return [parseResult(result, `${path}.functionResponse`)];
  // What a tool of Google's did in an earlier turn; what the model found out is in its texts.
  if (OWN_PARTS.some((name) => part[name] !== undefined) || isBare(part)) return [];
  const transcription = asObject(either(part, "audioTranscription", "audio_transcription"));
  if (transcription) return [{ type: "text", text: asText(transcription["text"]) ?? "" }];
  if (part["text"] === undefined) throw invalidField(path, "is not a part that this model can be sent");
  const text = requireText(part["text"], `${path}.text`);
  return [part["thought"] === true ? { type: "reasoning", text } : { type: "text", text }];
}

/** The parts of a content: an object with parts, or a string, which Google's SDKs allow for the system instruction. */
export function parseParts(content: unknown, path: string): ContentPart[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  const parts = optionalList(toArray(requireObject(content, path)["parts"]), `${path}.parts`) ?? [];
  return parts.flatMap((part, index) => parsePart(part, `${path}.parts[${index}]`));
}

/** Results usually have no ids: each gets the id of the oldest unanswered call with its name. */
function matchResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const open = new Set<string>();
  const idsByName = new Map<string, string[]>();
  const oldest = (name = ""): string | undefined => {
    const ids = idsByName.get(name) ?? [];
    const at = ids.findIndex((id) => open.has(id));
    if (at > 0) ids.splice(0, at);
    return at < 0 ? undefined : ids[0];
  };
  return messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part): ContentPart => {
      if (part.type === "tool-call") {
        open.add(part.id);
        const ids = idsByName.get(part.name);
        if (ids) ids.push(part.id);
        else idsByName.set(part.name, [part.id]);
      }
      if (part.type !== "tool-result") return part;
      // The SDK adds ids to results whose calls it stored without ids.
      const id = open.has(part.id) ? part.id : oldest(part.name);
      if (id !== undefined) open.delete(id);
      return { ...part, id: id ?? (part.id || newToolCallId()) };
    }),
  }));
}

/**
 * Moves signed reasoning before the parts that it preceded originally: it is returned with the next call, which may
 * follow text. Consecutive pieces of one response, as clients store streams, are merged into one message.
 */
const reasoningFirst = (messages: readonly ChatMessage[]): ChatMessage[] =>
  joinNeighbours(messages).map(({ role, parts }) => ({
    role,
    parts: role === "assistant" ? inReasoningOrder(parts) : parts,
  }));

function inReasoningOrder(parts: readonly ContentPart[]): ContentPart[] {
  const ordered: ContentPart[] = [];
  let step: ContentPart[] = [];
  for (const part of parts) {
    if (part.type !== "tool-call") step.push(part);
    else {
      const [reasoning, others] = [step.filter(isSignedReasoning), step.filter((one) => !isSignedReasoning(one))];
      for (const one of [...reasoning, ...others, part]) ordered.push(one);
      step = [];
    }
  }
  return [...ordered, ...step];
}

/** Tool results are sent in the user's turn; Google accepts two older role names for it as well. */
const USER_ROLES: ReadonlySet<unknown> = new Set(["user", "function", "tool"]);

/** The parts of a turn; throws invalid_request if it has none, also of those that are left out. */
function requireParts(content: unknown, path: string): ContentPart[] {
  const parts = parseParts(content, path);
  if (parts.length === 0 && asList(toArray(asObject(content)?.["parts"])).length === 0)
    throw invalidField(`${path}.parts`, "must not be empty");
  return parts;
}

/** The conversation of a `contents` list. Throws RelayError invalid_request. */
export function parseContents(contents: readonly unknown[]): ChatMessage[] {
  const messages = contents.map((value, index): ChatMessage => {
    const path = `contents[${index}]`;
    const role = requireObject(value, path)["role"] || "user";
    if (role !== "model" && !USER_ROLES.has(role)) throw invalidField(`${path}.role`, "must be user or model");
    return { role: role === "model" ? "assistant" : "user", parts: requireParts(value, path) };
  });
  return reasoningFirst(matchResults(messages));
}
