import type { ChatRequest, ChatTool, ContentPart, Json, ResponseFormat, ToolChoice } from "../../core/chat/chat.ts";
import { asList, asObject, asObjects, asText, compact } from "../../core/chat/json.ts";
import { toTurns } from "../../core/chat/messages.ts";
import { isEffort } from "../../core/chat/reasoning.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { CommonFields } from "../../core/call/dialect.ts";
import { modelOf, requireContent } from "../endpoints/endpoint-fields.ts";
import {
  invalidField,
  optionalBoolean,
  optionalList,
  optionalNumber,
  optionalObject,
  optionalText,
  optionalTokenBound,
  requireObject,
} from "../shared/fields.ts";
import { argumentsOfInput, asFunctionTool, isCustomTool } from "./custom-tools.ts";
import { isReference, REASONING_ID } from "./responses-wire.ts";
import { isPlainSearch, searchAmong } from "./responses-web-search.ts";
import { parseItemReasoning } from "../../core/chat/encrypted-reasoning.ts";
import { parseMessages } from "../openai-chat/openai-messages.ts";
import { writeReasoningField } from "../openai-chat/openai-reasoning.ts";
import { parseResponseFormat, parseTools } from "../openai-chat/openai-tools.ts";

/** Parses the fields that apply to every upstream. Throws invalid_request. */
export function readResponsesFields(body: Json): CommonFields {
  const model = modelOf(body, undefined);
  // A stored prompt or a conversation may replace the input.
  if (!body["prompt"] && !body["conversation"] && !body["previous_response_id"]) requireContent(body["input"], "input");
  return {
    model,
    stream: optionalBoolean(body["stream"], "stream") ?? false,
    includeUsage: true,
    maxOutputTokens: optionalTokenBound(body["max_output_tokens"], "max_output_tokens"),
  };
}

const STATEFUL = ["previous_response_id", "conversation", "background", "prompt"] as const;

/** The field that only a provider of this API can serve: state that it stores, or tools that it runs. */
export function ownFieldOf(body: Json): string | undefined {
  const stateful = STATEFUL.find((name) => body[name]);
  if (stateful) return stateful;
  const at = asList(body["tools"]).findIndex(
    (tool) => asObject(tool)?.["type"] !== "function" && !isCustomTool(tool) && !isPlainSearch(tool),
  );
  return at < 0 ? undefined : `tools[${at}].type`;
}

/** Chat has no level above high detail. */
const detailOf = ({ detail }: Json): unknown => (detail === "original" ? "high" : detail);

/** Converts a part of a message's content to chat; unsupported parts keep their type and are refused by name. */
function toChatPart(value: unknown): unknown {
  const part = asObject(value);
  switch (part?.["type"]) {
    case "input_text":
    case "output_text":
      return { type: "text", text: part["text"] };
    case "input_image":
      return { type: "image_url", image_url: { url: part["image_url"], detail: detailOf(part) } };
    case "input_file":
      return { type: "file", file: { filename: part["filename"], file_data: part["file_data"] } };
    default:
      return value;
  }
}

const toChatContent = (content: unknown): unknown => (Array.isArray(content) ? content.map(toChatPart) : content);

const thoughtOf = ({ content, summary }: Json): string =>
  [...asObjects(content), ...asObjects(summary)].map(({ text }) => asText(text) ?? "").join("");

function toThoughtMessage(item: Json): Json {
  const thoughts = parseItemReasoning(item);
  if (thoughts.length === 0) return { role: "assistant", content: null, reasoning_content: thoughtOf(item) };
  return { role: "assistant", content: null, ...writeReasoningField(thoughts) };
}

const toCallMessage = ({ call_id, name }: Json, callArguments: unknown): Json => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id: call_id, type: "function", function: { name, arguments: callArguments } }],
});

/** Converts one input item to one chat message, so that their indexes match. */
function toChatMessage(value: unknown, index: number): Json {
  const item = requireObject(value, `input[${index}]`);
  const type = isReference(item) ? "item_reference" : (item["type"] ?? "message");
  if (type === "message") return { role: item["role"], content: toChatContent(item["content"]) };
  if (type === "function_call") return toCallMessage(item, item["arguments"]);
  if (type === "custom_tool_call") return toCallMessage(item, argumentsOfInput(item["input"]));
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    return { role: "tool", tool_call_id: item["call_id"], content: toChatContent(item["output"]) };
  }
  // Earlier search results are not usable by another model; their content is in the messages. Signed reasoning is kept,
  // since some providers require it back.
  const isReasoningItem = type === "item_reference" && asText(item["id"])?.startsWith(REASONING_ID) === true;
  if (type === "reasoning") return toThoughtMessage(item);
  if (type === "web_search_call" || isReasoningItem) return { role: "assistant", content: null };
  if (type === "item_reference") {
    throw invalidField(
      `input[${index}].type`,
      "cannot be looked up: nothing is stored for this model (use store: false)",
    );
  }
  throw invalidField(`input[${index}].type`, "is not supported for this model: it is served through chat");
}

/** The path of an invalid field in the caller's format: files and images are flat here and nested in chat. */
const asCallersWrote = (text: string): string =>
  text.replace("messages[", "input[").replace(".file.file_data", ".file_data").replace(".image_url.url", ".image_url");

function parseInput(input: unknown): { system: ContentPart[]; messages: ChatRequest["messages"] } {
  const items = typeof input === "string" ? [{ role: "user", content: input }] : optionalList(input, "input");
  try {
    const { system, messages } = parseMessages((items ?? []).map(toChatMessage));
    return { system, messages: toTurns(messages) };
  } catch (error) {
    if (!(error instanceof RelayError) || error.param === undefined) throw error;
    throw new RelayError(error.code, asCallersWrote(error.message), { param: asCallersWrote(error.param) });
  }
}

function toChatTool(value: unknown): unknown {
  const tool = asObject(value);
  if (tool && isCustomTool(tool)) return asFunctionTool(tool);
  if (tool?.["type"] !== "function") return value;
  const { name, description, parameters, strict } = tool;
  return { type: "function", function: { name, description, parameters, strict } };
}

/** Converts `allowed_tools`, which is flat here and nested in chat. If a search is offered, the model may choose it. */
function toChatChoice(value: unknown): unknown {
  const choice = asObject(value);
  if (isPlainSearch(choice)) return "auto";
  if (choice?.["type"] !== "allowed_tools") return value;
  const allowed = asList(choice["tools"]).filter((tool) => !isPlainSearch(tool));
  const tools = allowed.map((tool) => ({ type: "function", function: tool }));
  return { type: "allowed_tools", allowed_tools: { mode: choice["mode"], tools } };
}

function parseResponsesTools(body: Json): { tools?: readonly ChatTool[]; toolChoice?: ToolChoice } {
  const offered = optionalList(body["tools"], "tools") ?? [];
  const tools = offered.filter((tool) => !isPlainSearch(tool)).map(toChatTool);
  return parseTools({ tools, tool_choice: toChatChoice(body["tool_choice"]) });
}

function parseFormat(body: Json): ResponseFormat | undefined {
  const format = optionalObject(optionalObject(body["text"], "text")?.["format"], "text.format");
  if (format?.["type"] !== "json_schema") return parseResponseFormat(format);
  const { name, schema, strict, description } = format;
  return parseResponseFormat({ type: "json_schema", json_schema: { name, schema, strict, description } });
}

function parseReasoning(body: Json): ChatRequest["reasoning"] {
  const effort = optionalObject(body["reasoning"], "reasoning")?.["effort"] ?? undefined;
  if (effort === undefined) return undefined;
  if (!isEffort(effort)) throw invalidField("reasoning.effort", "is not a known effort");
  return { effort };
}

/**
 * Parses a responses body into the internal form, for chat-only channels. Throws invalid_request for fields that chat
 * does not support.
 */
export function parseResponsesRequest(value: unknown): ChatRequest {
  const body = requireObject(value, "body");
  const own = ownFieldOf(body);
  if (own) throw invalidField(own, "is not supported for this model: its provider does not have the responses API");
  const { system, messages } = parseInput(body["input"]);
  const instructions = asText(body["instructions"]);
  return compact({
    ...readResponsesFields(body),
    system: instructions ? [{ type: "text" as const, text: instructions }, ...system] : system,
    messages,
    maxOutputTokens: optionalTokenBound(body["max_output_tokens"], "max_output_tokens"),
    temperature: optionalNumber(body["temperature"], "temperature"),
    topP: optionalNumber(body["top_p"], "top_p"),
    ...parseResponsesTools(body),
    webSearch: searchAmong(body["tools"]),
    parallelToolCalls: optionalBoolean(body["parallel_tool_calls"], "parallel_tool_calls"),
    responseFormat: parseFormat(body),
    reasoning: parseReasoning(body),
    user: optionalText(body["user"], "user"),
  });
}
