import { createHash } from "node:crypto";
import type { ChatMessage, ContentPart, ImageSource, Json } from "../../core/chat/chat.ts";
import { compact } from "../../core/chat/json.ts";
import { joinNeighbours, toTurns, unsupportedPart } from "../../core/chat/messages.ts";
import { toolArguments } from "../../core/chat/tool-calls.ts";
import { isReasoningItem } from "./unsigned-thoughts.ts";

/** Stand where Anthropic wants a user's word and there is none: before the assistant's first and behind its last. */
const FILLER = "...";
const GO_ON = "Go on.";

export type ClaudeTurn = { readonly role: "user" | "assistant"; readonly content: readonly Json[] };

/** Anthropic's ids are letters, digits, `_` and `-`; other providers' may hold more. The same id always gives the same. */
function toolId(id: string): string {
  const plain = id.replace(/[^a-zA-Z0-9_-]/g, "_");
  // Two ids must not become one.
  return plain === id ? id : `${plain}_${createHash("sha256").update(id).digest("hex").slice(0, 8)}`;
}

/** `image/jpg` is a name that only other providers take. */
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

/** Texts of nothing but white space are refused, like empty ones; reasoning without Anthropic's signature comes from elsewhere and would be. */
function writePart(part: ContentPart): Json[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === ""
        ? []
        : [compact({ type: "text", text: part.text, cache_control: part.cacheControl })];
    case "image":
      return [compact({ type: "image", source: writeSource(part.source), cache_control: part.cacheControl })];
    case "file":
      return [writeFile(part)];
    case "audio":
      throw unsupportedPart("audio");
    case "reasoning":
      return part.signature === undefined ? [] : [{ type: "thinking", thinking: part.text, signature: part.signature }];
    case "redacted-reasoning":
      return [{ type: "redacted_thinking", data: part.data }];
    case "tool-call":
      return [{ type: "tool_use", id: toolId(part.id), name: part.name, input: toolArguments(part.argumentsText) }];
    case "tool-result":
      return [writeToolResult(part)];
  }
}

/** An answer that ends with a thought is refused; it was cut off there. */
const withoutLastThoughts = (blocks: readonly Json[]): readonly Json[] =>
  blocks.slice(0, blocks.findLastIndex((block) => !isReasoningItem(block)) + 1);

function writeTurn({ role, parts }: ChatMessage) {
  const blocks = parts.flatMap(writePart);
  return { role, parts: role === "user" ? blocks : withoutLastThoughts(blocks) };
}

const userSays = (text: string): ClaudeTurn => ({ role: "user", content: [{ type: "text", text }] });

/** The conversation in turns that alternate and begin with the user, none of them empty. */
export function writeClaudeTurns(messages: readonly ChatMessage[]): ClaudeTurn[] {
  // Turns that lose all they held (unsigned reasoning) may leave two of one role side by side.
  const written = joinNeighbours(toTurns(messages).map(writeTurn));
  const turns = written.map(({ role, parts: content }): ClaudeTurn => ({ role, content }));
  return turns[0]?.role === "user" ? turns : [userSays(FILLER), ...turns];
}

/**
 * The turns with an end that the model takes. The assistant's last word (prefill) must not end in white space; where it may not be the
 * last, the user asks to go on.
 */
export function endClaudeTurns(turns: readonly ClaudeTurn[], takesPrefill: boolean): ClaudeTurn[] {
  const last = turns.at(-1);
  if (last?.role !== "assistant") return [...turns];
  if (!takesPrefill) return [...turns, userSays(GO_ON)];
  const content = last.content.map((block, index) =>
    index === last.content.length - 1 && typeof block["text"] === "string"
      ? { ...block, text: block["text"].trimEnd() }
      : block,
  );
  return [...turns.slice(0, -1), { ...last, content }];
}

/** The system prompt: a plain text, or blocks where one of them is marked for the cache. */
export function writeSystem(parts: readonly ContentPart[], extra: string | undefined): string | object[] | undefined {
  const texts = parts.flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part] : []));
  const all = extra === undefined ? texts : [...texts, { type: "text" as const, text: extra }];
  if (all.length === 0) return undefined;
  if (all.every((part) => !("cacheControl" in part))) return all.map(({ text }) => text).join("\n\n");
  return all.flatMap(writePart);
}
