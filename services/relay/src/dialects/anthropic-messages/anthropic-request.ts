import type {
  ChatMessage,
  ChatRequest,
  ChatTool,
  ContentPart,
  Json,
  ResponseFormat,
  ToolChoice,
} from "../../core/chat/chat.ts";
import { asObject, compact } from "../../core/chat/json.ts";
import { decodeCallSignatures, isCallSignature } from "../../core/chat/call-signatures.ts";
import { refuseThread } from "../../core/vendors/anthropic-thread.ts";
import { isEffort } from "../../core/chat/reasoning.ts";
import { isStrictSchema } from "../../core/chat/strict-schema.ts";
import { commonName } from "../shared/tool-names.ts";
import {
  checkChatBody,
  invalidField,
  optionalBoolean,
  optionalList,
  optionalNumber,
  optionalObject,
  optionalText,
  optionalTexts,
  optionalTokenBound,
  requireList,
  requireName,
  requireObject,
} from "../shared/fields.ts";
import { parseThinking } from "../shared/reasoning-effort.ts";
import { parseServiceTier } from "../shared/service-tier.ts";
import { findClientTool } from "./anthropic-client-tools.ts";
import { parseBlocks } from "./anthropic-content.ts";
import { markLastPart } from "./automatic-cache.ts";
import { isServerTool, refuseForcedServerTool, refuseRegion } from "./anthropic-server-tools.ts";
import { fromSummary, withToolChanges } from "./tool-changes.ts";
import { SEARCH_NAME, searchAmong } from "./anthropic-web-search.ts";

/** Adds to each tool result the name of the call it belongs to, which other formats require. */
function nameResults(messages: readonly ChatMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part): ContentPart => {
      if (part.type === "tool-call") names.set(part.id, part.name);
      return part.type === "tool-result" ? compact({ ...part, name: names.get(part.id) }) : part;
    }),
  }));
}

/** Puts the signatures of calls, which the caller got as encrypted reasoning, back on their calls. */
function withCallSignatures(parts: readonly ContentPart[]): readonly ContentPart[] {
  const sealed = parts.flatMap((part) =>
    part.type === "redacted-reasoning" && isCallSignature(part.data) ? [part.data] : [],
  );
  if (sealed.length === 0) return parts;
  const signatures = decodeCallSignatures(sealed);
  return parts.flatMap((part): ContentPart[] => {
    if (part.type === "redacted-reasoning" && isCallSignature(part.data)) return [];
    return [part.type === "tool-call" ? compact({ ...part, signature: signatures.get(part.id) }) : part];
  });
}

function parseMessages(list: readonly unknown[]): { system: ContentPart[]; messages: ChatMessage[] } {
  const system: ContentPart[] = [];
  const messages: ChatMessage[] = [];
  list.forEach((value, index) => {
    const path = `messages[${index}]`;
    const message = requireObject(value, path);
    const parts = withCallSignatures(parseBlocks(message["content"], `${path}.content`));
    const role = message["role"];
    if (role === "system") system.push(...parts);
    else if (role === "user" || role === "assistant") messages.push({ role, parts });
    else throw invalidField(`${path}.role`, "must be user or assistant");
  });
  return { system, messages: nameResults(messages) };
}

function parseTool(value: unknown, path: string): ChatTool {
  const tool = requireObject(value, path);
  const known = findClientTool(tool);
  if (known) return compact({ ...known, cacheControl: asObject(tool["cache_control"]) });
  const type = tool["type"] ?? "custom";
  if (type !== "custom") throw invalidField(`${path}.type`, "is a tool of Anthropic's, which this model does not have");
  const parameters = requireObject(tool["input_schema"], `${path}.input_schema`);
  const strict = optionalBoolean(tool["strict"], `${path}.strict`);
  return compact({
    name: commonName(requireName(tool["name"], `${path}.name`)),
    description: optionalText(tool["description"], `${path}.description`),
    parameters,
    // Anthropic allows open properties, which OpenAI's strict mode refuses.
    strict: strict && isStrictSchema(parameters),
    cacheControl: asObject(tool["cache_control"]),
  });
}

function parseToolChoice(choice: Json | undefined): ToolChoice | undefined {
  switch (choice?.["type"]) {
    case undefined:
      return undefined;
    case "auto":
    case "none":
      return { type: choice["type"] };
    case "any":
      return { type: "required" };
    case "tool":
      return { type: "tool", name: commonName(requireName(choice["name"], "tool_choice.name")) };
    default:
      throw invalidField("tool_choice.type", "must be auto, any, tool or none");
  }
}

function parseTools(body: Json) {
  const tools = optionalList(body["tools"], "tools")?.flatMap((tool, index) =>
    isServerTool(tool) ? [] : [parseTool(tool, `tools[${index}]`)],
  );
  refuseForcedServerTool(body);
  const webSearch = searchAmong(body["tools"]);
  const choice = optionalObject(body["tool_choice"], "tool_choice");
  const oneAtATime = optionalBoolean(choice?.["disable_parallel_tool_use"], "tool_choice.disable_parallel_tool_use");
  // A web search runs inside the provider, so a forced tool choice cannot select it on other providers.
  const isForSearch = webSearch !== undefined && (tools?.length === 0 || choice?.["name"] === SEARCH_NAME);
  return {
    tools: tools && tools.length > 0 ? tools : undefined,
    webSearch,
    toolChoice: isForSearch || tools?.length === 0 ? undefined : parseToolChoice(choice),
    parallelToolCalls: oneAtATime === undefined ? undefined : !oneAtATime,
  };
}

function parseReasoning(body: Json): ChatRequest["reasoning"] {
  const effort = asObject(body["output_config"])?.["effort"] ?? undefined;
  if (effort !== undefined && !isEffort(effort)) throw invalidField("output_config.effort", "is not a known effort");
  const thinking = parseThinking(body["thinking"]);
  if (thinking?.budgetTokens === 0) return thinking;
  return effort === undefined ? thinking : { ...thinking, effort };
}

function parseFormat(body: Json): ResponseFormat | undefined {
  const format = asObject(asObject(body["output_config"])?.["format"]) ?? asObject(body["output_format"]);
  if (!format) return undefined;
  const schema = requireObject(format["schema"], "output_config.format.schema");
  return { type: "json-schema", name: "answer", schema };
}

/** Anthropic's fast mode is what others sell as priority. */
const parseTier = (body: Json): ChatRequest["serviceTier"] =>
  body["speed"] === "fast" ? "priority" : parseServiceTier(body["service_tier"]);

/**
 * Parses a messages body into the internal form. Throws RelayError invalid_request with the invalid field in `param`.
 */
export function parseAnthropicRequest(value: unknown): ChatRequest {
  const body = withToolChanges(checkChatBody(value));
  refuseThread(body);
  refuseRegion(body);
  const { system, messages: turns } = parseMessages(fromSummary(requireList(body["messages"], "messages")));
  const messages = markLastPart(turns, optionalObject(body["cache_control"], "cache_control"));
  return compact({
    model: requireName(body["model"], "model"),
    system: [...parseBlocks(body["system"], "system"), ...system],
    messages,
    stream: optionalBoolean(body["stream"], "stream") ?? false,
    includeUsage: false,
    maxOutputTokens: optionalTokenBound(body["max_tokens"], "max_tokens"),
    temperature: optionalNumber(body["temperature"], "temperature"),
    topP: optionalNumber(body["top_p"], "top_p"),
    topK: optionalNumber(body["top_k"], "top_k"),
    stop: optionalTexts(body["stop_sequences"], "stop_sequences"),
    ...parseTools(body),
    responseFormat: parseFormat(body),
    reasoning: parseReasoning(body),
    serviceTier: parseTier(body),
    user: optionalText(optionalObject(body["metadata"], "metadata")?.["user_id"], "metadata.user_id"),
  });
}
