import type { PlannedResponse, ServedUsage } from "./scenario.ts";
import {
  type Requested,
  isObject,
  type JsonObject,
  type ReceivedRequest,
  type Refusal,
  textIn,
  type WireFormat,
} from "./wire-format.ts";

const FINISH_REASONS = { stop: "STOP", length: "MAX_TOKENS", tool_calls: "STOP", content_filter: "SAFETY" } as const;
const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};
const snake = (name: string): string[] => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
const names = (list: string): Set<string> => new Set(list.split(" ").flatMap(snake));

const TOP_LEVEL = names(
  "contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent labels model",
);
const SCHEMA = names(
  "type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum",
);
const PARTS = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
].flatMap(snake);

const bad = (message: string): Refusal => ({ status: 400, message });
const unknownName = (name: string, at: string): string =>
  `Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`;

function schemaProblem(schema: unknown, at: string): string | undefined {
  if (!isObject(schema)) return undefined;
  const stranger = Object.keys(schema).find((name) => !SCHEMA.has(name));
  if (stranger !== undefined) return unknownName(stranger, at);
  const inner = [
    schema["items"],
    ...(isObject(schema["properties"]) ? Object.values(schema["properties"]) : []),
    ...(Array.isArray(schema["anyOf"]) ? schema["anyOf"] : []),
  ];
  return inner.map((child) => schemaProblem(child, at)).find((problem) => problem !== undefined);
}

function toolProblem(tools: unknown): string | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return "tools must be a list";
  const declarations = tools.flatMap((tool: unknown) => {
    const list = isObject(tool) ? (tool["functionDeclarations"] ?? tool["function_declarations"]) : undefined;
    return Array.isArray(list) ? (list as unknown[]) : [];
  });
  return declarations
    .map((one) =>
      isObject(one)
        ? schemaProblem(one["parameters"], "tools[0].function_declarations[0].parameters")
        : "bad declaration",
    )
    .find((problem) => problem !== undefined);
}

function contentProblem(content: unknown, index: number): string | undefined {
  if (!isObject(content)) return `contents[${index}] must be an object`;
  const { role, parts } = content;
  if (role !== undefined && role !== "user" && role !== "model" && role !== "function")
    return "Please use a valid role: user, model.";
  if (!Array.isArray(parts) || parts.length === 0)
    return `GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`;
  const isFilled = (part: unknown): boolean => isObject(part) && PARTS.some((name) => part[name] !== undefined);
  return parts.every(isFilled)
    ? undefined
    : `GenerateContentRequest.contents[${index}].parts: required oneof field 'data' must have one initialized field`;
}

function read({ path, query, body }: ReceivedRequest): Requested | Refusal {
  const [, model, action] = /\/models\/([^/:]+):(\w+)$/.exec(path) ?? [];
  if (model === undefined || (action !== "generateContent" && action !== "streamGenerateContent"))
    return { status: 404, message: `${path} is not found for API version v1beta.` };
  const stranger = Object.keys(body).find((name) => !TOP_LEVEL.has(name));
  if (stranger !== undefined) return bad(unknownName(stranger, "root"));
  const { contents } = body;
  if (!Array.isArray(contents) || contents.length === 0)
    return bad("* GenerateContentRequest.contents: contents is not specified");
  const problem = contents.map(contentProblem).find((found) => found !== undefined) ?? toolProblem(body["tools"]);
  if (problem !== undefined) return bad(problem);
  const stream = action === "streamGenerateContent";
  if (stream && query.get("alt") !== "sse") return bad("this double only streams with alt=sse");
  const system = body["systemInstruction"] ?? body["system_instruction"];
  return {
    model: decodeURIComponent(model),
    stream,
    promptText: `${textIn(system)}\n${textIn(contents)}`.trim(),
    includesUsage: true,
  };
}

const getUsage = (usage: ServedUsage): JsonObject => ({
  promptTokenCount: usage.inputTokens,
  candidatesTokenCount: usage.outputTokens - usage.reasoningTokens,
  totalTokenCount: usage.inputTokens + usage.outputTokens,
  promptTokensDetails: [
    { modality: "TEXT", tokenCount: usage.inputTokens - usage.audioInputTokens - usage.imageInputTokens },
    ...(usage.audioInputTokens === 0 ? [] : [{ modality: "AUDIO", tokenCount: usage.audioInputTokens }]),
    ...(usage.imageInputTokens === 0 ? [] : [{ modality: "IMAGE", tokenCount: usage.imageInputTokens }]),
  ],
  ...(usage.cachedTokens === 0 ? {} : { cachedContentTokenCount: usage.cachedTokens }),
  ...(usage.tier === undefined ? {} : { trafficType: usage.tier }),
  ...(usage.reasoningTokens === 0 ? {} : { thoughtsTokenCount: usage.reasoningTokens }),
});

const callPart = (call: PlannedResponse["toolCalls"][number]): JsonObject => ({
  functionCall: { name: call.name, args: call.arguments },
});

/** The queries sent to Google's search, one per search. */
function grounding(searches: number): JsonObject {
  if (searches === 0) return {};
  return { groundingMetadata: { webSearchQueries: Array.from({ length: searches }, (_, index) => `query ${index}`) } };
}

function chunk(response: PlannedResponse, parts: readonly JsonObject[], finish: string | undefined): JsonObject {
  return {
    candidates: [
      {
        content: { parts, role: "model" },
        ...(finish === undefined ? {} : { finishReason: finish, ...grounding(response.usage?.searches ?? 0) }),
        index: 0,
      },
    ],
    ...(response.usage === undefined ? {} : { usageMetadata: getUsage(response.usage) }),
    modelVersion: response.model,
    responseId: response.id,
  };
}

function whole(response: PlannedResponse): JsonObject {
  const text = response.pieces.join("");
  const parts = [
    ...(response.reasoning.length === 0 ? [] : [{ text: response.reasoning.join(""), thought: true }]),
    ...(text === "" ? [] : [{ text }]),
    ...response.toolCalls.map(callPart),
  ];
  return chunk(response, parts, FINISH_REASONS[response.finish]);
}

function frames(response: PlannedResponse): string[] {
  const parts: JsonObject[] = [
    ...response.reasoning.map((text) => ({ text, thought: true })),
    ...response.pieces.map((text) => ({ text })),
    ...response.toolCalls.map(callPart),
  ];
  const filled = parts.length > 0 ? parts : [{ text: "" }];
  return filled.map((part, index) => {
    const isLast = index === filled.length - 1;
    // Usage grows with the stream, as with the real provider: adding up the frames would count too much.
    const soFar =
      response.usage && !isLast
        ? {
            ...response.usage,
            outputTokens: index + 1,
            reasoningTokens: Math.min(index + 1, response.usage.reasoningTokens),
          }
        : response.usage;
    return `data: ${JSON.stringify(chunk({ ...response, usage: soFar }, [part], isLast ? FINISH_REASONS[response.finish] : undefined))}\r\n\r\n`;
  });
}

const errorBody = ({ status, message, type }: Refusal): JsonObject => ({
  error: { code: status, message, status: type ?? STATUS_WORDS[status] ?? "INTERNAL" },
});

/**
 * generateContent and streamGenerateContent; the stream's lines end with CRLF, and its only end marker is the finish
 * reason.
 */
export const geminiFormat: WireFormat = {
  name: "gemini",
  readKey: ({ headers, query }) => headers["x-goog-api-key"] ?? query.get("key") ?? undefined,
  read,
  whole,
  frames,
  errorBody,
  errorFrame: () =>
    `data: ${JSON.stringify(errorBody({ status: 503, message: "The model is overloaded. Please try again later." }))}\r\n\r\n`,
  malformedFrame: 'data: {"candidates":[{"content":{"parts":[{"te\r\n\r\n',
  newline: "\r\n",
};
