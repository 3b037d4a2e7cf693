import type { PlannedResponse, ServedUsage } from "./scenario.ts";
import {
  type Requested,
  isObject,
  type JsonObject,
  getParts,
  type ReceivedRequest,
  type Refusal,
  textIn,
  type WireFormat,
} from "./wire-format.ts";

const FINISH = {
  stop: "COMPLETE",
  length: "MAX_TOKENS",
  tool_calls: "TOOL_CALL",
  content_filter: "ERROR_TOXIC",
} as const;
const FIELDS = new Set([
  "model",
  "messages",
  "stream",
  "tools",
  "tool_choice",
  "strict_tools",
  "documents",
  "citation_options",
  "response_format",
  "safety_mode",
  "max_tokens",
  "stop_sequences",
  "temperature",
  "seed",
  "frequency_penalty",
  "presence_penalty",
  "k",
  "p",
  "logprobs",
  "thinking",
  "priority",
]);
const bad = (message: string): Refusal => ({ status: 400, message });

function getProblem(body: JsonObject): string | undefined {
  const { model, messages, tool_choice: choice } = body;
  const stranger = Object.keys(body).find((name) => !FIELDS.has(name));
  if (stranger !== undefined) return `unknown field: parameter '${stranger}' is not a valid field`;
  if (typeof model !== "string" || model === "") return "model is required";
  if (!Array.isArray(messages) || messages.length === 0) return "messages is required";
  if (choice !== undefined && choice !== "REQUIRED" && choice !== "NONE") return "invalid tool_choice";
  const wrong = messages.find(
    (message) => !isObject(message) || (message["role"] === "tool" && !message["tool_call_id"]),
  );
  return wrong === undefined ? undefined : "invalid message";
}

function read({ body }: ReceivedRequest): Requested | Refusal {
  const problem = getProblem(body);
  if (problem !== undefined) return bad(problem);
  return {
    model: String(body["model"]),
    stream: body["stream"] === true,
    promptText: textIn(body["messages"]),
    includesUsage: true,
  };
}

const getUsage = (usage: ServedUsage): JsonObject => ({
  billed_units: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  tokens: { input_tokens: usage.inputTokens + 60, output_tokens: usage.outputTokens + 2 },
  cached_tokens: usage.cachedTokens,
});

const toolCalls = (response: PlannedResponse): JsonObject[] =>
  response.toolCalls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));

function whole(response: PlannedResponse): JsonObject {
  const text = response.pieces.join("");
  const thinking = response.reasoning.join("");
  const content = [
    ...(thinking === "" ? [] : [{ type: "thinking", thinking }]),
    ...(text === "" ? [] : [{ type: "text", text }]),
  ];
  return {
    id: response.id,
    finish_reason: FINISH[response.finish],
    message: {
      role: "assistant",
      ...(content.length === 0 ? {} : { content }),
      ...(response.toolCalls.length === 0 ? {} : { tool_plan: "I will look.", tool_calls: toolCalls(response) }),
    },
    ...(response.usage ? { usage: getUsage(response.usage) } : {}),
  };
}

function contentEvents(pieces: readonly string[], field: "text" | "thinking", index: number): JsonObject[] {
  if (pieces.length === 0) return [];
  const content = (value: object): JsonObject => ({ message: { content: value } });
  return [
    { type: "content-start", index, delta: content({ type: field, [field]: "" }) },
    ...pieces.map((piece) => ({ type: "content-delta", index, delta: content({ [field]: piece }) })),
    { type: "content-end", index },
  ];
}

const callEvents = (response: PlannedResponse): JsonObject[] =>
  response.toolCalls.flatMap((call, index) => [
    {
      type: "tool-call-start",
      index,
      delta: {
        message: { tool_calls: { id: call.id, type: "function", function: { name: call.name, arguments: "" } } },
      },
    },
    ...getParts(JSON.stringify(call.arguments), 7).map((part) => ({
      type: "tool-call-delta",
      index,
      delta: { message: { tool_calls: { function: { arguments: part } } } },
    })),
    { type: "tool-call-end", index },
  ]);

function frames(response: PlannedResponse): string[] {
  const end = {
    finish_reason: FINISH[response.finish],
    ...(response.usage ? { usage: getUsage(response.usage) } : {}),
  };
  const events: JsonObject[] = [
    { id: response.id, type: "message-start", delta: { message: { role: "assistant", content: [], tool_plan: "" } } },
    ...contentEvents(response.reasoning, "thinking", 0),
    ...contentEvents(response.pieces, "text", response.reasoning.length > 0 ? 1 : 0),
    ...callEvents(response),
    { type: "message-end", delta: end },
  ];
  const bytes = events.map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
  return [...bytes, "data: [DONE]\n\n"];
}

const chat: WireFormat = {
  name: "cohere",
  readKey: ({ headers }) => /^Bearer (.+)$/i.exec(headers["authorization"] ?? "")?.[1],
  read,
  whole,
  frames,
  errorBody: ({ message }) => ({ id: "cohere-error", message }),
  errorFrame: () =>
    `event: message-end\ndata: ${JSON.stringify({ type: "message-end", delta: { finish_reason: "ERROR", error: "internal" } })}\n\n`,
  malformedFrame: 'event: content-delta\ndata: {"type":"content-del\n\n',
  newline: "\n",
};

const reading =
  (required: readonly string[]) =>
  ({ body }: ReceivedRequest): Requested | Refusal => {
    const missing = required.find((field) => body[field] === undefined);
    if (missing !== undefined) return bad(`${missing} is required`);
    return {
      model: String(body["model"]),
      stream: false,
      promptText: textIn(body["query"]),
      includesUsage: true,
    };
  };

const rerank: WireFormat = {
  ...chat,
  read: reading(["model", "query", "documents"]),
  whole: ({ id }) => ({
    id,
    results: [{ index: 1, relevance_score: 0.9 }],
    meta: { api_version: { version: "2" }, billed_units: { search_units: 1 } },
  }),
};

/** Cohere's v2 API, by path. */
export function getCohereFormat(path: string): WireFormat | undefined {
  if (path.endsWith("/v2/chat")) return chat;
  return path.endsWith("/v2/rerank") ? rerank : undefined;
}
