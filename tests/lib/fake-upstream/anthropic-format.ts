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

const STOP_REASONS = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
} as const;
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};
const bad = (message: string): Refusal => ({ status: 400, message, type: "invalid_request_error" });

function blockProblem(block: unknown, at: string, openUses: Set<string>): string | undefined {
  if (!isObject(block)) return `${at}: Input should be an object`;
  if (block["type"] === "text" && (typeof block["text"] !== "string" || block["text"] === ""))
    return `${at}: text content blocks must be non-empty`;
  if (block["type"] === "tool_use") {
    if (!isObject(block["input"])) return `${at}.tool_use.input: Input should be a valid dictionary`;
    openUses.add(String(block["id"]));
  }
  if (block["type"] === "tool_result" && !openUses.has(String(block["tool_use_id"])))
    return `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`;
  return undefined;
}

function messageProblem(message: unknown, index: number, openUses: Set<string>): string | undefined {
  if (!isObject(message)) return `messages.${index}: Input should be an object`;
  const { role, content } = message;
  if (role !== "user" && role !== "assistant") return `messages.${index}.role: Input should be 'user' or 'assistant'`;
  if (typeof content === "string")
    return content === "" ? `messages.${index}: all messages must have non-empty content` : undefined;
  if (!Array.isArray(content) || content.length === 0) return `messages.${index}.content: Input should be a valid list`;
  return content
    .map((block, at) => blockProblem(block, `messages.${index}.content.${at}`, openUses))
    .find((problem) => problem !== undefined);
}

function read({ body, headers }: ReceivedRequest): Requested | Refusal {
  const { model, messages, max_tokens: limit, stream, system, tools, temperature } = body;
  if (headers["anthropic-version"] === undefined) return bad("anthropic-version: header is required");
  if (typeof model !== "string" || model === "") return bad("model: Field required");
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1) return bad("max_tokens: Field required");
  if (!Array.isArray(messages) || messages.length === 0) return bad("messages: at least one message is required");
  if (typeof temperature === "number" && (temperature < 0 || temperature > 1)) return bad("temperature: range: 0..1");
  const openUses = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const problem = messageProblem(message, index, openUses);
    if (problem !== undefined) return bad(problem);
  }
  if (
    Array.isArray(tools) &&
    tools.some((tool) => !isObject(tool) || (tool["type"] === undefined && !isObject(tool["input_schema"])))
  )
    return bad("tools.0.custom.input_schema: Field required");
  return {
    model,
    stream: stream === true,
    promptText: `${textIn(system)}\n${textIn(messages)}`.trim(),
    includesUsage: true,
  };
}

const inputUsage = (usage: ServedUsage): JsonObject => ({
  input_tokens: usage.inputTokens - usage.cachedTokens - usage.cacheWriteTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cachedTokens,
  ...(usage.cacheWriteLongTokens === 0
    ? {}
    : {
        cache_creation: {
          ephemeral_5m_input_tokens: usage.cacheWriteTokens - usage.cacheWriteLongTokens,
          ephemeral_1h_input_tokens: usage.cacheWriteLongTokens,
        },
      }),
  ...(usage.tier === "fast" ? { speed: "fast", service_tier: "standard" } : {}),
  ...(usage.tier === undefined || usage.tier === "fast" ? {} : { service_tier: usage.tier }),
  ...(usage.region === undefined ? {} : { inference_geo: usage.region }),
  ...(usage.searches === 0 ? {} : { server_tool_use: { web_search_requests: usage.searches } }),
});

function blocks(response: PlannedResponse): JsonObject[] {
  const text = response.pieces.join("");
  return [
    ...(response.reasoning.length === 0
      ? []
      : [{ type: "thinking", thinking: response.reasoning.join(""), signature: "c2lnbmF0dXJl" }]),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...response.toolCalls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: call.arguments })),
  ];
}

const envelope = (response: PlannedResponse): JsonObject => ({
  id: `msg_${response.id}`,
  type: "message",
  role: "assistant",
  model: response.model,
});

const whole = (response: PlannedResponse): JsonObject => ({
  ...envelope(response),
  content: blocks(response),
  stop_reason: STOP_REASONS[response.finish],
  stop_sequence: null,
  ...(response.usage === undefined
    ? {}
    : { usage: { ...inputUsage(response.usage), output_tokens: response.usage.outputTokens } }),
});

const frame = (data: JsonObject): string => `event: ${String(data["type"])}\ndata: ${JSON.stringify(data)}\n\n`;

type Block = { start: JsonObject; deltas: JsonObject[] };

function streamedBlocks(response: PlannedResponse): Block[] {
  const thinking: Block = {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...response.reasoning.map((part) => ({ type: "thinking_delta", thinking: part })),
      { type: "signature_delta", signature: "c2lnbmF0dXJl" },
    ],
  };
  const text: Block = {
    start: { type: "text", text: "" },
    deltas: response.pieces.map((part) => ({ type: "text_delta", text: part })),
  };
  const tools = response.toolCalls.map((call) => ({
    start: { type: "tool_use", id: call.id, name: call.name, input: {} },
    deltas: ["", ...getParts(JSON.stringify(call.arguments), 7)].map((part) => ({
      type: "input_json_delta",
      partial_json: part,
    })),
  }));
  return [
    ...(response.reasoning.length > 0 ? [thinking] : []),
    ...(response.pieces.length > 0 ? [text] : []),
    ...tools,
  ];
}

function frames(response: PlannedResponse): string[] {
  const started = response.usage === undefined ? {} : { usage: { ...inputUsage(response.usage), output_tokens: 1 } };
  const ended =
    response.usage === undefined
      ? {}
      : { usage: { ...inputUsage(response.usage), output_tokens: response.usage.outputTokens } };
  const message = { ...envelope(response), content: [], stop_reason: null, stop_sequence: null, ...started };
  const body = streamedBlocks(response).flatMap(({ start, deltas }, index) => [
    frame({ type: "content_block_start", index, content_block: start }),
    ...(index === 0 ? [frame({ type: "ping" })] : []),
    ...deltas.map((delta) => frame({ type: "content_block_delta", index, delta })),
    frame({ type: "content_block_stop", index }),
  ]);
  return [
    frame({ type: "message_start", message }),
    ...body,
    frame({
      type: "message_delta",
      delta: { stop_reason: STOP_REASONS[response.finish], stop_sequence: null },
      ...ended,
    }),
    frame({ type: "message_stop" }),
  ];
}

/** The messages API. */
export const anthropicFormat: WireFormat = {
  name: "anthropic",
  readKey: ({ headers }) => headers["x-api-key"] ?? /^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1],
  read,
  whole,
  frames,
  errorBody: ({ status, message, type }) => ({
    type: "error",
    error: { type: type ?? ERROR_TYPES[status] ?? "api_error", message },
    request_id: "req_fake",
  }),
  errorFrame: () => frame({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
  malformedFrame:
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_del\n\n',
  newline: "\n",
};
