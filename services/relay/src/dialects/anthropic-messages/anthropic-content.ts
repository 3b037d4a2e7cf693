import type { ContentPart, ImageSource, Json } from "../../core/chat/chat.ts";
import { asObject, asText, compact } from "../../core/chat/json.ts";
import { getText } from "../../core/chat/messages.ts";
import { commonName } from "../shared/tool-names.ts";
import { invalidField, optionalBoolean, requireName, requireObject, requireText } from "../shared/fields.ts";
import { isToolChange } from "./tool-changes.ts";
import { isServerToolBlock } from "./anthropic-server-tools.ts";

const getCacheControl = (block: Json): Json | undefined => asObject(block["cache_control"]);

function parseImageSource(block: Json, path: string): ImageSource {
  const source = requireObject(block["source"], `${path}.source`);
  if (source["type"] === "url") return { kind: "url", url: requireName(source["url"], `${path}.source.url`) };
  if (source["type"] !== "base64") throw invalidField(`${path}.source.type`, "must be base64 or url for this model");
  return {
    kind: "base64",
    mediaType: requireName(source["media_type"], `${path}.source.media_type`),
    data: requireName(source["data"], `${path}.source.data`),
  };
}

/** The title and context of a document, which Claude reads as well. */
const getAbout = (...words: readonly unknown[]): ContentPart[] => {
  const text = words.flatMap((word) => asText(word) || []).join("\n");
  return text === "" ? [] : [{ type: "text", text }];
};

function parseDocument(block: Json, path: string): ContentPart[] {
  const source = requireObject(block["source"], `${path}.source`);
  const cacheControl = getCacheControl(block);
  const { title, context } = block;
  switch (source["type"]) {
    case "base64":
      return [
        ...getAbout(context),
        compact({
          type: "file" as const,
          name: asText(title) || "document.pdf",
          mediaType: requireName(source["media_type"], `${path}.source.media_type`),
          data: requireName(source["data"], `${path}.source.data`),
          cacheControl,
        }),
      ];
    case "url":
      return [
        ...getAbout(context),
        compact({
          type: "file-url" as const,
          name: asText(title) || undefined,
          // The only type that Anthropic fetches.
          mediaType: "application/pdf",
          url: requireName(source["url"], `${path}.source.url`),
          cacheControl,
        }),
      ];
    case "text":
      return [
        ...getAbout(title, context),
        compact({ type: "text" as const, text: requireText(source["data"], `${path}.source.data`), cacheControl }),
      ];
    case "content":
      return [...getAbout(title, context), ...parseBlocks(source["content"], `${path}.source.content`)];
    default:
      throw invalidField(`${path}.source.type`, "must be base64, url, text or content for this model");
  }
}

/** A search result sent by the caller, as text: title, source, content. */
function parseSearchResult(block: Json, path: string): ContentPart {
  const found = getText(parseBlocks(block["content"], `${path}.content`), "\n");
  const title = requireText(block["title"], `${path}.title`);
  const source = requireText(block["source"], `${path}.source`);
  return compact({
    type: "text" as const,
    text: [title, source, found].join("\n"),
    cacheControl: getCacheControl(block),
  });
}

function parseToolUse(block: Json, path: string): ContentPart {
  const input = block["input"] ?? {};
  return {
    type: "tool-call",
    id: requireName(block["id"], `${path}.id`),
    name: commonName(requireName(block["name"], `${path}.name`)),
    argumentsText: JSON.stringify(requireObject(input, `${path}.input`)),
  };
}

function parseToolResult(block: Json, path: string): ContentPart {
  return compact({
    type: "tool-result" as const,
    id: requireName(block["tool_use_id"], `${path}.tool_use_id`),
    parts: parseBlocks(block["content"], `${path}.content`),
    isError: optionalBoolean(block["is_error"], `${path}.is_error`),
    cacheControl: getCacheControl(block),
  });
}

function parseThinkingBlock(block: Json, path: string): ContentPart {
  const signature = asText(block["signature"]) || undefined;
  return compact({
    type: "reasoning" as const,
    text: requireText(block["thinking"], `${path}.thinking`),
    signature,
  });
}

function parseBlock(value: unknown, path: string): ContentPart[] {
  const block = requireObject(value, path);
  const cacheControl = getCacheControl(block);
  switch (block["type"]) {
    case "text":
      return [compact({ type: "text" as const, text: requireText(block["text"], `${path}.text`), cacheControl })];
    case "image":
      return [compact({ type: "image" as const, source: parseImageSource(block, path), cacheControl })];
    case "document":
      return parseDocument(block, path);
    case "search_result":
      return [parseSearchResult(block, path)];
    case "thinking":
      return [parseThinkingBlock(block, path)];
    case "redacted_thinking":
      return [{ type: "redacted-reasoning", data: requireText(block["data"], `${path}.data`) }];
    case "tool_use":
      return [parseToolUse(block, path)];
    case "tool_result":
      return [parseToolResult(block, path)];
    case "compaction":
      return block["content"] ? [{ type: "text", text: requireText(block["content"], `${path}.content`) }] : [];
    case "tool_reference": {
      const name = commonName(requireName(block["tool_name"], `${path}.tool_name`));
      return [{ type: "text", text: `Available now: ${name}` }];
    }
    case "browser_state":
      return [{ type: "text", text: JSON.stringify({ tabs: block["tabs"], state_changes: block["state_changes"] }) }];
    default:
      if (isServerToolBlock(block["type"]) || isToolChange(block["type"])) return [];
      throw invalidField(`${path}.type`, "is not a content type that this model can be sent");
  }
}

/**
 * Parses the content of a message, a system prompt or a tool result: undefined, a string, or blocks. Throws
 * invalid_request.
 */
export function parseBlocks(content: unknown, path: string): ContentPart[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) throw invalidField(path, "must be a string or an array of content blocks");
  return content.flatMap((block: unknown, index) => parseBlock(block, `${path}[${index}]`));
}
