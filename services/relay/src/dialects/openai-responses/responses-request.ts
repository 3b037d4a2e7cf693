import type { ChatRequest, ContentPart, Json, ResponseFormat } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText, compact } from "../../core/chat/json.ts";
import { toTurns } from "../../core/chat/messages.ts";
import { isEffort } from "../../core/chat/reasoning.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { CommonFields } from "../../core/call/dialect.ts";
import { getModel, requireContent } from "../endpoints/endpoint-fields.ts";
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
import { parseServiceTier } from "../shared/service-tier.ts";
import { checkShapes } from "./field-shapes.ts";
import { COMPACTION_TRIGGER, isReference, REASONING_ID } from "./responses-wire.ts";
import { createToolCatalog, type ToolCatalog } from "./tool-catalog.ts";
import { toToolMessage } from "./tool-call-items.ts";
import { findSearch, getForcedHostedTool, parseResponsesTools } from "./tool-choice.ts";
import { decodeCallSignatures } from "../../core/chat/call-signatures.ts";
import { parseItemReasoning } from "../../core/chat/encrypted-reasoning.ts";
import { parseMessages } from "../openai-chat/openai-messages.ts";
import { writeReasoningField } from "../openai-chat/openai-reasoning.ts";
import { signatureField } from "../openai-chat/openai-wire.ts";
import { parseResponseFormat } from "../openai-chat/openai-tools.ts";

/** Parses the fields that apply to every upstream. Throws invalid_request and unsupported_parameter. */
export function readResponsesFields(body: Json): CommonFields {
  const model = getModel(body, undefined);
  checkShapes(body);
  // A stored prompt or a conversation may replace the input.
  if (!body["prompt"] && !body["conversation"] && !body["previous_response_id"]) requireContent(body["input"], "input");
  return {
    model,
    stream: optionalBoolean(body["stream"], "stream") ?? false,
    includeUsage: true,
    maxOutputTokens: optionalTokenBound(body["max_output_tokens"], "max_output_tokens"),
  };
}

const STATEFUL = ["previous_response_id", "conversation", "prompt"] as const;

/** The field that only a provider of this API can serve: state that it stores, or a tool that it runs and the model must call. */
export const getOwnField = (body: Json): string | undefined =>
  STATEFUL.find((name) => body[name]) ?? getForcedHostedTool(body);

/** Chat has no level above high detail. */
const getDetail = ({ detail }: Json): unknown => (detail === "original" ? "high" : detail);

/** Converts a part of a message's content to chat; unsupported parts keep their type and are refused by name. */
function toChatPart(value: unknown): unknown {
  const part = asObject(value);
  switch (part?.["type"]) {
    case "input_text":
    case "output_text":
    case "summary_text":
    case "reasoning_text":
      return { type: "text", text: part["text"] };
    case "input_image":
      return { type: "image_url", image_url: { url: part["image_url"], detail: getDetail(part) } };
    case "input_file":
      return { type: "file", file: { filename: part["filename"], file_data: part["file_data"] } };
    default:
      return value;
  }
}

const toChatContent = (content: unknown): unknown => (Array.isArray(content) ? content.map(toChatPart) : content);

const getReasoning = ({ content, summary }: Json): string =>
  [...asObjects(content), ...asObjects(summary)].map(({ text }) => asText(text) ?? "").join("");

function toReasoningMessage(item: Json): Json {
  const reasoning = parseItemReasoning(item);
  if (reasoning.length === 0) return { role: "assistant", content: null, reasoning_content: getReasoning(item) };
  return { role: "assistant", content: null, ...writeReasoningField(reasoning) };
}

/** Converts one input item to one chat message, so that their indexes match. */
function toChatMessage(value: unknown, index: number, catalog: ToolCatalog): Json {
  const item = requireObject(value, `input[${index}]`);
  const type = isReference(item) ? "item_reference" : (item["type"] ?? "message");
  if (type === "message") return { role: item["role"], content: toChatContent(item["content"]) };
  const ofTool = toToolMessage(item, catalog, toChatContent);
  if (ofTool) return ofTool;
  // Signed reasoning is kept, since some providers require it back.
  const isReasoningItem = type === "item_reference" && asText(item["id"])?.startsWith(REASONING_ID) === true;
  if (type === "reasoning") return toReasoningMessage(item);
  // A trigger of an earlier turn is followed by the compaction that it requested.
  if (isReasoningItem || type === COMPACTION_TRIGGER) return { role: "assistant", content: null };
  if (type === "item_reference") {
    throw invalidField(
      `input[${index}].type`,
      "cannot be looked up: nothing is stored for this model (use store: false)",
    );
  }
  if (type === "compaction") {
    const why = "cannot be read by this model: the provider that compacted the conversation encrypted it";
    throw invalidField(`input[${index}].type`, why);
  }
  throw invalidField(`input[${index}].type`, "is not supported for this model: it is served through chat");
}

/** The path of an invalid field in the caller's format: files and images are flat here and nested in chat. */
const asCallersWrote = (text: string): string =>
  text.replace("messages[", "input[").replace(".file.file_data", ".file_data").replace(".image_url.url", ".image_url");

/** Puts the signatures of calls, which the caller got as encrypted reasoning, back on the calls of a chat message. */
function withSignatures(message: Json, signatures: ReadonlyMap<string, string>): Json {
  if (!Array.isArray(message["tool_calls"])) return message;
  const calls = asObjects(message["tool_calls"]).map((call) => ({
    ...call,
    ...signatureField(signatures.get(asText(call["id"]) ?? "")),
  }));
  return { ...message, tool_calls: calls };
}

function parseInput(
  input: unknown,
  catalog: ToolCatalog,
): { system: ContentPart[]; messages: ChatRequest["messages"] } {
  const items = typeof input === "string" ? [{ role: "user", content: input }] : (optionalList(input, "input") ?? []);
  const signatures = decodeCallSignatures(items.map((item) => asObject(item)?.["encrypted_content"]));
  const sign = (message: Json): Json => (signatures.size === 0 ? message : withSignatures(message, signatures));
  try {
    const { system, messages } = parseMessages(items.map((item, index) => sign(toChatMessage(item, index, catalog))));
    return { system, messages: toTurns(messages) };
  } catch (error) {
    if (!(error instanceof RelayError) || error.param === undefined) throw error;
    throw new RelayError(error.code, asCallersWrote(error.message), { param: asCallersWrote(error.param) });
  }
}

/** The schema is flat here. */
const FORMAT_PATHS = { format: "text.format", schema: "text.format" } as const;

function parseFormat(body: Json): ResponseFormat | undefined {
  const format = optionalObject(optionalObject(body["text"], "text")?.["format"], "text.format");
  if (format?.["type"] !== "json_schema") return parseResponseFormat(format, FORMAT_PATHS);
  const { name, schema, strict, description } = format;
  return parseResponseFormat({ type: "json_schema", json_schema: { name, schema, strict, description } }, FORMAT_PATHS);
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
export function parseResponsesRequest(body: Json): ChatRequest {
  const own = getOwnField(body);
  if (own) throw invalidField(own, "is not supported for this model: its provider does not have the responses API");
  const catalog = createToolCatalog(body);
  const { system, messages } = parseInput(body["input"], catalog);
  const instructions = asText(body["instructions"]);
  return compact({
    ...readResponsesFields(body),
    system: instructions ? [{ type: "text" as const, text: instructions }, ...system] : system,
    messages,
    maxOutputTokens: optionalTokenBound(body["max_output_tokens"], "max_output_tokens"),
    temperature: optionalNumber(body["temperature"], "temperature"),
    topP: optionalNumber(body["top_p"], "top_p"),
    ...parseResponsesTools(body, catalog),
    webSearch: findSearch(body),
    parallelToolCalls: optionalBoolean(body["parallel_tool_calls"], "parallel_tool_calls"),
    responseFormat: parseFormat(body),
    reasoning: parseReasoning(body),
    serviceTier: parseServiceTier(body["service_tier"]),
    user: optionalText(body["user"], "user"),
  });
}
