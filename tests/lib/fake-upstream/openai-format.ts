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

const ROLES = new Set(["system", "developer", "user", "assistant", "tool", "function"]);
const bad = (message: string): Refusal => ({ status: 400, message, type: "invalid_request_error" });

function getProblem(message: unknown, index: number, openCalls: Set<string>): string | undefined {
  if (!isObject(message)) return `messages[${index}] must be an object`;
  const { role, content, tool_calls: calls } = message;
  if (typeof role !== "string" || !ROLES.has(role)) return `Invalid value for messages[${index}].role`;
  if (Array.isArray(calls)) for (const call of calls) if (isObject(call)) openCalls.add(String(call["id"]));
  if (role === "tool" && !openCalls.has(String(message["tool_call_id"])))
    return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'";
  const mayBeEmpty = role === "assistant" && Array.isArray(calls) && calls.length > 0;
  if (!mayBeEmpty && typeof content !== "string" && !Array.isArray(content))
    return `Invalid value for 'content': expected a string, got null (messages[${index}])`;
  return undefined;
}

/** GPT-5.4 and 5.5 refuse tools with an effort, from 5.6 on tools without one too, since it reasons by default. */
function getToolRefusal({ model, tools, reasoning_effort: effort }: JsonObject): Refusal | undefined {
  const version = Number(/^gpt-5\.(\d)/.exec(String(model))?.[1] ?? 0);
  const given = effort ?? (version >= 6 ? "medium" : "none");
  if (version < 4 || !Array.isArray(tools) || given === "none") return undefined;
  return bad(
    `Function tools with reasoning_effort are not supported for ${String(model)} in /v1/chat/completions. Please use /v1/responses instead.`,
  );
}

function read({ body }: ReceivedRequest): Requested | Refusal {
  const { model, messages, stream, stream_options: options, tools } = body;
  if (typeof model !== "string" || model === "") return bad("you must provide a model parameter");
  if (!Array.isArray(messages) || messages.length === 0)
    return bad("Invalid 'messages': empty array. Expected an array with minimum length 1");
  const openCalls = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const problem = getProblem(message, index, openCalls);
    if (problem !== undefined) return bad(problem);
  }
  if (stream !== true && options !== undefined && options !== null)
    return bad("The 'stream_options' parameter is only allowed when 'stream' is enabled.");
  if (Array.isArray(tools) && tools.some((tool) => !isObject(tool) || !isObject(tool["function"])))
    return bad("Missing required parameter: 'tools[0].function'.");
  const refusal = getToolRefusal(body);
  if (refusal) return refusal;
  return {
    model,
    stream: stream === true,
    promptText: textIn(messages),
    includesUsage: isObject(options) && options["include_usage"] === true,
  };
}

const getUsage = (usage: ServedUsage): JsonObject => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: {
    cached_tokens: usage.cachedTokens,
    audio_tokens: usage.audioInputTokens,
    ...(usage.imageInputTokens === 0 ? {} : { image_tokens: usage.imageInputTokens }),
  },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens, audio_tokens: usage.audioOutputTokens },
});

const getTier = ({ usage }: PlannedResponse): JsonObject =>
  usage?.tier === undefined ? {} : { service_tier: usage.tier };

const getToolCalls = (response: PlannedResponse): JsonObject[] =>
  response.toolCalls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));

function whole(response: PlannedResponse): JsonObject {
  const text = response.pieces.join("");
  const reasoning = response.reasoning.join("");
  return {
    id: `chatcmpl-${response.id}`,
    object: "chat.completion",
    created: response.createdAtSeconds,
    model: response.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" && response.toolCalls.length > 0 ? null : text,
          refusal: null,
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
          ...(response.toolCalls.length === 0 ? {} : { tool_calls: getToolCalls(response) }),
        },
        logprobs: null,
        finish_reason: response.finish,
      },
    ],
    ...(response.usage === undefined ? {} : { usage: getUsage(response.usage) }),
    ...getTier(response),
    system_fingerprint: "fp_fake",
  };
}

function toolDeltas(response: PlannedResponse): JsonObject[] {
  return response.toolCalls.flatMap((call, index) => [
    { tool_calls: [{ index, id: call.id, type: "function", function: { name: call.name, arguments: "" } }] },
    ...getParts(JSON.stringify(call.arguments), 7).map((part) => ({
      tool_calls: [{ index, function: { arguments: part } }],
    })),
  ]);
}

function frames(response: PlannedResponse, requested: Requested): string[] {
  const envelope = {
    id: `chatcmpl-${response.id}`,
    object: "chat.completion.chunk",
    created: response.createdAtSeconds,
    model: response.model,
    ...getTier(response),
    system_fingerprint: "fp_fake",
  };
  const frame = (data: JsonObject): string => `data: ${JSON.stringify({ ...envelope, ...data })}\n\n`;
  const silent = requested.includesUsage ? { usage: null } : {};
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    frame({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...silent });
  const deltas: JsonObject[] = [
    { role: "assistant", content: "", refusal: null },
    ...response.reasoning.map((part) => ({ reasoning_content: part })),
    ...response.pieces.map((part) => ({ content: part })),
    ...toolDeltas(response),
  ];
  const last =
    requested.includesUsage && response.usage ? [frame({ choices: [], usage: getUsage(response.usage) })] : [];
  return [...deltas.map((delta) => chunk(delta)), chunk({}, response.finish), ...last, "data: [DONE]\n\n"];
}

/** Chat completions of OpenAI and OpenAI-compatible providers. */
export const openaiFormat: WireFormat = {
  name: "openai",
  // Azure has its own paths and its own header.
  readKey: ({ headers, path }) =>
    path.startsWith("/openai/") ? headers["api-key"] : /^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1],
  read,
  whole,
  frames,
  errorBody: ({ message, type, code, status }) => ({
    error: {
      message,
      type: type ?? (status === 429 ? "requests" : status >= 500 ? "server_error" : "invalid_request_error"),
      param: null,
      code: code ?? (status === 429 ? "rate_limit_exceeded" : status === 401 ? "invalid_api_key" : null),
    },
  }),
  errorFrame: () =>
    `data: ${JSON.stringify({ error: { message: "The server had an error while processing your request.", type: "server_error", param: null, code: null } })}\n\n`,
  malformedFrame: 'data: {"id":"chatcmpl-broken","choices":[{"index":0,"delta":{"content":"x\n\n',
  newline: "\n",
};
