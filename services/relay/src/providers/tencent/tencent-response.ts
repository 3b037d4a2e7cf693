import type { ChatResponse, Json, StreamPart } from "../../core/chat/chat.ts";
import { asNumber, asObject, asText } from "../../core/chat/json.ts";
import { getFailure, parseEventData, unreadableResponse } from "../shared/upstream-failure.ts";
import { parseOpenAiResponse } from "../formats/openai/response/openai-response.ts";
import { createChunkReader } from "../formats/openai/response/openai-stream-reader.ts";
import { StreamFailure, type StreamEvent, type StreamReader } from "../../core/wire/stream.ts";

const DONE = "[DONE]";

const STATUS_BY_CODE: readonly (readonly [RegExp, number])[] = [
  [/^(RequestLimitExceeded|LimitExceeded)/, 429],
  [/^(AuthFailure|UnauthorizedOperation)/, 401],
  [
    /^(ResourceUnavailable|FailedOperation\.(ServiceNotActivated|ResourcePackExhausted|ResourcePackNotAllowed|FreeResourcePackExhausted))/,
    402,
  ],
  [/^(InvalidParameter|MissingParameter|UnknownParameter|UnsupportedOperation|InvalidRequest)/, 400],
  [/^InternalError/, 500],
];

const snake = (name: string): string => name.replace(/(?!^)([A-Z])/g, "_$1").toLowerCase();

/** Converts names to OpenAI's style; the format is otherwise the same. */
function toOpenAi(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map(toOpenAi);
  const object = asObject(value);
  if (!object) return value;
  return Object.fromEntries(Object.entries(object).map(([name, field]) => [snake(name), toOpenAi(field)]));
}

/** `Error` of a refused call, `ErrorMsg` of a call that broke off. */
export function tencentFailure(body: Json): StreamFailure | undefined {
  const error = asObject(body["Error"]) ?? asObject(body["ErrorMsg"]);
  if (!error) return undefined;
  const code = asText(error["Code"]) ?? asNumber(error["Code"])?.toString();
  const message = asText(error["Message"]) || asText(error["Msg"]) || "upstream returned an error";
  const status = STATUS_BY_CODE.find(([pattern]) => pattern.test(code ?? ""))?.[1] ?? 502;
  return new StreamFailure(getFailure(message, { code }), status);
}

/** Parses a non-streaming response, inside `Response`. Throws StreamFailure for errors, which have status 200. */
export function parseTencentResponse(value: unknown): ChatResponse {
  const body = asObject(asObject(value)?.["Response"]) ?? asObject(value);
  if (!body) throw unreadableResponse();
  const failure = tencentFailure(body);
  if (failure) throw failure;
  return parseOpenAiResponse(toOpenAi(body));
}

/** Parses chunks with usage in each; the finish reason ends the stream. */
export function newTencentStreamReader(): StreamReader {
  const chunks = createChunkReader();
  return {
    read({ data }: StreamEvent): StreamPart[] {
      if (data === DONE) return [];
      const chunk = parseEventData(data);
      const body = asObject(chunk["Response"]) ?? chunk;
      const failure = tencentFailure(body);
      if (failure) throw failure;
      return chunks.readChunk(toOpenAi(body) as Json);
    },
    end: chunks.finish,
    isComplete: chunks.hasFinishReason,
  };
}
