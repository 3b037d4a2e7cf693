import { toFinish } from "../../../core/chat/finish-reasons.ts";
import type { ChatResponse, ContentPart } from "../../../core/chat/chat.ts";
import { toRefusal } from "../../../core/chat/refusals.ts";
import { asList, asObject, asText, compact } from "../../../core/chat/json.ts";
import { errorInside, unreadableResponse } from "../../shared/upstream-failure.ts";
import { isToolOutput, isOutputTool } from "./claude-response-tool.ts";
import { createUsageTally } from "./anthropic-usage.ts";
import { MessageStop } from "./message-stop.ts";
import { createCitations } from "./claude-web-search.ts";

function readBlock(value: unknown): ContentPart[] {
  const block = asObject(value) ?? {};
  switch (block["type"]) {
    case "text":
      return [{ type: "text", text: asText(block["text"]) ?? "" }];
    case "thinking": {
      const signature = asText(block["signature"]) || undefined;
      return [compact({ type: "reasoning" as const, text: asText(block["thinking"]) ?? "", signature })];
    }
    case "redacted_thinking":
      return [{ type: "redacted-reasoning", data: asText(block["data"]) ?? "" }];
    case "tool_use":
      if (isOutputTool(block["name"])) return [{ type: "text", text: JSON.stringify(block["input"] ?? {}) }];
      return [
        {
          type: "tool-call",
          id: asText(block["id"]) ?? "",
          name: asText(block["name"]) ?? "",
          argumentsText: JSON.stringify(block["input"] ?? {}),
        },
      ];
    default:
      return []; // Blocks of server tools have no equivalent outside Anthropic's format.
  }
}

/** The pages that the text blocks cite; `blocks` contains the parsed parts of each block. */
function readCitations(content: readonly unknown[], blocks: readonly (readonly ContentPart[])[]) {
  const citations = createCitations();
  blocks.forEach((parts, index) => {
    for (const citation of asList(asObject(content[index])?.["citations"])) citations.cite(citation);
    for (const part of parts) if (part.type === "text") citations.text(part.text);
    citations.blockEnded();
  });
  return citations.field();
}

/**
 * Parses a `message` into the internal form. Throws StreamFailure if the 200 response contains an error or anything
 * else.
 */
export function parseAnthropicResponse(value: unknown): ChatResponse {
  const body = asObject(value);
  if (body?.["error"]) throw errorInside(body);
  if (!body || !Array.isArray(body["content"])) throw unreadableResponse();
  const usage = createUsageTally();
  usage.add(body["usage"]);
  const stop = new MessageStop();
  stop.add(body);
  const content = asList(body["content"]);
  const blocks = content.map(readBlock);
  return {
    id: asText(body["id"]) ?? "",
    model: asText(body["model"]) ?? "",
    createdAtSeconds: 0,
    parts: [...blocks.flat(), ...toRefusal(stop.explanation)],
    ...readCitations(content, blocks),
    ...toFinish(stop.getReason(isToolOutput(content)), stop.word),
    ...stop.getFields(),
    usage: usage.total(),
  };
}
