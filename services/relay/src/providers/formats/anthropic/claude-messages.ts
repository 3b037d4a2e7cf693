import { createHash } from "node:crypto";
import type { ChatMessage, ContentPart, ImageSource, Json } from "../../../core/chat/chat.ts";
import { isEncoded } from "../../../core/chat/encoded-text.ts";
import { getMarkedText } from "../../../core/chat/instructions.ts";
import { compact } from "../../../core/chat/json.ts";
import { joinNeighbours, toTurnsWithMovedMedia, unsupportedPart } from "../../../core/chat/messages.ts";
import { toolArguments } from "../../../core/chat/tool-calls.ts";
import { isReasoningItem } from "./unsigned-reasoning.ts";

/** Placeholders where Anthropic requires a user turn: before the first assistant turn and after the last one. */
const FILLER = "...";
const GO_ON = "Go on.";

export type ClaudeTurn = { readonly role: "user" | "assistant"; readonly content: readonly Json[] };

/**
 * Anthropic's ids consist of letters, digits, `_` and `-`; other providers' may contain more. The mapping is
 * deterministic.
 */
function toolId(id: string): string {
  const plain = id.replace(/[^a-zA-Z0-9_-]/g, "_");
  // Distinct ids must stay distinct.
  return plain === id ? id : `${plain}_${createHash("sha256").update(id).digest("hex").slice(0, 8)}`;
}

/** Only other providers accept the name `image/jpg`. */
const writeSource = (source: ImageSource): object =>
  source.kind === "url"
    ? { type: "url", url: source.url }
    : { type: "base64", media_type: source.mediaType.toLowerCase().replace(/\/jpg$/, "/jpeg"), data: source.data };

function writeFile(part: Extract<ContentPart, { type: "file" }>): Json {
  const { mediaType, data, name: title, cacheControl: cache_control } = part;
  if (mediaType === "application/pdf") {
    return compact({ type: "document", source: { type: "base64", media_type: mediaType, data }, title, cache_control });
  }
  if (!mediaType.startsWith("text/")) throw unsupportedPart(`a file of type ${mediaType}`);
  const text = Buffer.from(data, "base64").toString("utf8");
  return compact({
    type: "document",
    source: { type: "text", media_type: "text/plain", data: text },
    title,
    cache_control,
  });
}

function writeToolResult(part: Extract<ContentPart, { type: "tool-result" }>): Json {
  const content = part.parts.flatMap(writePart);
  return compact({
    type: "tool_result",
    tool_use_id: toolId(part.id),
    content: content.length > 0 ? content : undefined,
    is_error: part.isError,
    cache_control: part.cacheControl,
  });
}

/**
 * Texts of only white space are refused like empty ones; reasoning without Anthropic's signature comes from another
 * model and is refused too.
 */
function writePart(part: ContentPart): Json[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === ""
        ? []
        : [compact({ type: "text", text: getMarkedText(part), cache_control: part.cacheControl })];
    case "image":
      return [compact({ type: "image", source: writeSource(part.source), cache_control: part.cacheControl })];
    case "file":
      return [writeFile(part)];
    case "file-url": {
      const { url, name: title, cacheControl: cache_control } = part;
      return [compact({ type: "document", source: { type: "url", url }, title, cache_control })];
    }
    case "audio":
      throw unsupportedPart("audio");
    case "reasoning":
      return part.signature === undefined ? [] : [{ type: "thinking", thinking: part.text, signature: part.signature }];
    case "redacted-reasoning":
      return isEncoded(part.data) ? [] : [{ type: "redacted_thinking", data: part.data }];
    case "tool-call":
      return [{ type: "tool_use", id: toolId(part.id), name: part.name, input: toolArguments(part.argumentsText) }];
    case "tool-result":
      return [writeToolResult(part)];
  }
}

/** A turn that ends with reasoning is refused; it was cut off there. */
const withoutLastReasoning = (blocks: readonly Json[]): readonly Json[] =>
  blocks.slice(0, blocks.findLastIndex((block) => !isReasoningItem(block)) + 1);

function writeTurn({ role, parts }: ChatMessage) {
  const blocks = parts.flatMap(writePart);
  return { role, parts: role === "user" ? blocks : withoutLastReasoning(blocks) };
}

const userMessage = (text: string): ClaudeTurn => ({ role: "user", content: [{ type: "text", text }] });

/** The conversation in non-empty turns that alternate and begin with the user. */
export function writeClaudeTurns(messages: readonly ChatMessage[]): ClaudeTurn[] {
  // Turns that become empty (unsigned reasoning) may leave two neighbours of one role.
  const written = joinNeighbours(toTurnsWithMovedMedia(messages).map(writeTurn));
  const turns = written.map(({ role, parts: content }): ClaudeTurn => ({ role, content }));
  return turns[0]?.role === "user" ? turns : [userMessage(FILLER), ...turns];
}

/**
 * The turns with an ending that the model accepts. A final assistant turn (prefill) must not end in white space; if the
 * model refuses prefills, a user turn requests the continuation.
 */
export function endClaudeTurns(turns: readonly ClaudeTurn[], takesPrefill: boolean): ClaudeTurn[] {
  const last = turns.at(-1);
  if (last?.role !== "assistant") return [...turns];
  if (!takesPrefill) return [...turns, userMessage(GO_ON)];
  const content = last.content.map((block, index) =>
    index === last.content.length - 1 && typeof block["text"] === "string"
      ? { ...block, text: block["text"].trimEnd() }
      : block,
  );
  return [...turns.slice(0, -1), { ...last, content }];
}

/** The system prompt: plain text, or blocks if one of them is marked for the cache. */
export function writeSystem(parts: readonly ContentPart[], extra: string | undefined): string | object[] | undefined {
  const texts = parts.flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part] : []));
  const all = extra === undefined ? texts : [...texts, { type: "text" as const, text: extra }];
  if (all.length === 0) return undefined;
  if (all.every((part) => !("cacheControl" in part))) return all.map(({ text }) => text).join("\n\n");
  return all.flatMap(writePart);
}
