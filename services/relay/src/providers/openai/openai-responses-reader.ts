import type { ChatResponse, ContentPart, Json, ReportedUsage, StreamPart } from "../../chat/chat.ts";
import { asObject, asObjects, asText } from "../../chat/json.ts";
import { answerOf, objectOf } from "../endpoints/endpoint-provider.ts";
import {
  errorInside,
  failureOf,
  parseEventData,
  readFailure,
  statusOfFailure,
  unreadableResponse,
} from "../failure.ts";
import { StreamFailure, type StreamReader } from "../provider.ts";
import { readInputOutputUsage } from "./openai-image-answer.ts";
import { createToolCount } from "./openai-own-tools.ts";

/** What an item produced: for counting tokens, and for an answer that must be written anew because of a word in it. */
function producedBy(value: unknown): ContentPart[] {
  const item = asObject(value) ?? {};
  if (item["type"] === "function_call" || item["type"] === "custom_tool_call") {
    const argumentsText = asText(item["arguments"]) ?? asText(item["input"]) ?? "";
    return [{ type: "tool-call", id: asText(item["call_id"]) ?? "", name: asText(item["name"]) ?? "", argumentsText }];
  }
  const type = item["type"] === "reasoning" ? "reasoning" : "text";
  return [...asObjects(item["content"]), ...asObjects(item["summary"])].flatMap((part): ContentPart[] => {
    const text = asText(part["text"]) ?? asText(part["refusal"]);
    return text ? [{ type, text }] : [];
  });
}

function failedResponse(response: Json): StreamFailure {
  const failure = readFailure(response) ?? failureOf("upstream answered with an error");
  return new StreamFailure(failure, statusOfFailure(failure));
}

/** A `response` object: what it produced and its usage. Throws StreamFailure for one that failed, or anything else. */
export function parseResponsesAnswer(value: unknown): ChatResponse {
  const body = objectOf(value);
  if (body["status"] === "failed") throw failedResponse(body);
  if (!Array.isArray(body["output"])) throw unreadableResponse();
  const output = body["output"] as unknown[];
  const tools = createToolCount();
  output.forEach(tools.add);
  return { ...answerOf(tools.onto(readInputOutputUsage(body["usage"]))), parts: output.flatMap(producedBy) };
}

const DELTAS: Readonly<Record<string, (delta: string) => StreamPart>> = {
  "response.output_text.delta": (text) => ({ type: "text-delta", text }),
  "response.refusal.delta": (text) => ({ type: "text-delta", text }),
  "response.reasoning_text.delta": (text) => ({ type: "reasoning-delta", text }),
  "response.reasoning_summary_text.delta": (text) => ({ type: "reasoning-delta", text }),
  "response.function_call_arguments.delta": (argumentsText) => ({ type: "tool-call-delta", index: 0, argumentsText }),
  "response.custom_tool_call_input.delta": (argumentsText) => ({ type: "tool-call-delta", index: 0, argumentsText }),
};
const ENDS: ReadonlySet<string> = new Set(["response.completed", "response.incomplete"]);

/** Reads the events of a streamed response up to the one that ends it. */
export function newResponsesReader(): StreamReader {
  const tools = createToolCount();
  let usage: ReportedUsage;
  let isFinished = false;
  const finish = (): StreamPart[] => {
    if (isFinished) return [];
    isFinished = true;
    return [{ type: "finish", reason: "stop", usage }];
  };
  return {
    read({ event, data }): StreamPart[] {
      if (data === "[DONE]") return [];
      const body = parseEventData(data);
      const type = asText(body["type"]) ?? event ?? "";
      if (type === "error" || body["error"]) throw errorInside(body["error"] ? body : { error: body });
      const response = asObject(body["response"]) ?? {};
      if (type === "response.failed") throw failedResponse(response);
      if (type === "response.output_item.done") tools.add(body["item"]);
      if (ENDS.has(type)) {
        usage = tools.onto(readInputOutputUsage(response["usage"]));
        return finish();
      }
      const delta = asText(body["delta"]);
      const read = DELTAS[type];
      return delta !== undefined && read ? [read(delta)] : [];
    },
    end: () => [],
    isComplete: () => isFinished,
  };
}
