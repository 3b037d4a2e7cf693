import type { ChatMessage, ContentPart, ImageSource } from "../../chat/chat.ts";
import { compact } from "../../chat/json.ts";
import { toTurns, unsupportedPart } from "../../chat/messages.ts";
import { toolArguments } from "../../chat/tool-calls.ts";

/** Stands where Anthropic wants a user's word and there is none. */
const FILLER = "...";

type Turn = { readonly role: "user" | "assistant"; readonly content: readonly object[] };

/** Anthropic's ids are letters, digits, `_` and `-`; other providers' may hold more. The same id always gives the same. */
const toolId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, "_");

const writeSource = (source: ImageSource): object =>
  source.kind === "url"
    ? { type: "url", url: source.url }
    : { type: "base64", media_type: source.mediaType, data: source.data };

function writeFile(part: Extract<ContentPart, { type: "file" }>): object {
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

function writeToolResult(part: Extract<ContentPart, { type: "tool-result" }>): object {
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
function writePart(part: ContentPart): object[] {
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

/** A last word of the assistant's (prefill) must not end in white space. */
function trimPrefill(parts: readonly ContentPart[]): readonly ContentPart[] {
  const last = parts.at(-1);
  return last?.type === "text" ? [...parts.slice(0, -1), { ...last, text: last.text.trimEnd() }] : parts;
}

/** The conversation in turns that alternate and begin with the user, none of them empty. */
export function writeClaudeTurns(messages: readonly ChatMessage[]): Turn[] {
  const turns = toTurns(messages);
  const written = turns.map(({ role, parts }, index): Turn => {
    const isPrefill = role === "assistant" && index === turns.length - 1;
    return { role, content: (isPrefill ? trimPrefill(parts) : parts).flatMap(writePart) };
  });
  const filled = joinNeighbours(written.filter(({ content }) => content.length > 0));
  return filled[0]?.role === "user" ? filled : [{ role: "user", content: [{ type: "text", text: FILLER }] }, ...filled];
}

/** Turns that lost all they held (unsigned reasoning) may leave two of one role side by side. */
function joinNeighbours(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role === turn.role)
      joined[joined.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] };
    else joined.push(turn);
  }
  return joined;
}

/** The system prompt: a plain text, or blocks where one of them is marked for the cache. */
export function writeSystem(parts: readonly ContentPart[], extra: string | undefined): string | object[] | undefined {
  const texts = parts.flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part] : []));
  const all = extra === undefined ? texts : [...texts, { type: "text" as const, text: extra }];
  if (all.length === 0) return undefined;
  if (all.every((part) => !("cacheControl" in part))) return all.map(({ text }) => text).join("\n\n");
  return all.flatMap(writePart);
}
