import type { ChatResponse, ContentPart, Json } from "../../chat/chat.ts";
import { asCount, asList, asObject, asText } from "../../chat/json.ts";
import { newToolCallId } from "../../chat/tool-calls.ts";
import { errorInside, unreadableResponse } from "../failure.ts";
import { readFinish, readOpenAiUsage, readReasoning } from "./openai-usage.ts";

/** Content is a text, or a list of text parts with some providers. */
function readText(content: unknown): string {
  const parts = asList(content).map((part) => asText(asObject(part)?.["text"]) ?? "");
  return asText(content) ?? parts.join("");
}

function readToolCall(value: unknown): ContentPart[] {
  const call = asObject(value);
  const fn = asObject(call?.["function"]);
  const name = asText(fn?.["name"]);
  if (!name) return [];
  const id = asText(call?.["id"]) || newToolCallId();
  return [{ type: "tool-call", id, name, argumentsText: asText(fn?.["arguments"]) ?? "" }];
}

function readParts(message: Json): ContentPart[] {
  const reasoning = readReasoning(message);
  const text = readText(message["content"]) || (asText(message["refusal"]) ?? "");
  const legacy = message["function_call"] ? [{ function: message["function_call"] }] : [];
  return [
    ...(reasoning === "" ? [] : [{ type: "reasoning" as const, text: reasoning }]),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...[...asList(message["tool_calls"]), ...legacy].flatMap(readToolCall),
  ];
}

/** A `chat.completion` in the internal form. Throws StreamFailure when the 200 holds an error or something else. */
export function parseOpenAiResponse(value: unknown): ChatResponse {
  const body = asObject(value);
  if (body?.["error"]) throw errorInside(body);
  if (!body || !Array.isArray(body["choices"])) throw unreadableResponse();
  const choice = asObject(asList(body["choices"])[0]);
  const parts = readParts(asObject(choice?.["message"]) ?? {});
  const hasToolCalls = parts.some((part) => part.type === "tool-call");
  return {
    id: asText(body["id"]) ?? "",
    model: asText(body["model"]) ?? "",
    createdAtSeconds: asCount(body["created"]),
    parts,
    finishReason: readFinish(asText(choice?.["finish_reason"]) ?? "", hasToolCalls),
    usage: readOpenAiUsage(body["usage"] ?? choice?.["usage"]),
  };
}
