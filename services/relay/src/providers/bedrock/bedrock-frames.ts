import type { Json } from "../../core/chat/chat.ts";
import { asObject, asText, parseJson } from "../../core/chat/json.ts";
import type { Frame } from "../../core/wire/stream.ts";
import type { AwsMessage } from "./aws-event-stream.ts";

/** Anthropic's error types for Bedrock's exceptions. */
const ERROR_TYPES: Readonly<Record<string, string>> = {
  throttlingException: "rate_limit_error",
  validationException: "invalid_request_error",
  serviceUnavailableException: "overloaded_error",
  modelTimeoutException: "timeout_error",
  internalServerException: "api_error",
  modelStreamErrorException: "api_error",
};

const TYPE = /^\{"type":"(\w+)"/;

function toSse(type: string, data: string): Frame {
  return { raw: Buffer.from(`event: ${type}\ndata: ${data}\n\n`), event: { event: type, data } };
}

function failed(name: string, payload: Json | undefined): Frame {
  const message = asText(payload?.["message"]) || asText(payload?.["Message"]) || name;
  const type = ERROR_TYPES[name] ?? "api_error";
  return toSse("error", JSON.stringify({ type: "error", error: { type, message } }));
}

/**
 * Converts a message of Bedrock's stream to the Anthropic event that it contains, so that it can be passed through to
 * Anthropic callers.
 */
export function toAnthropicFrame({ headers, payload }: AwsMessage): Frame {
  const body = asObject(parseJson(payload.toString("utf8")));
  const kind = headers[":message-type"];
  if (kind === "exception") return failed(headers[":exception-type"] ?? "", body);
  if (kind === "error") return failed(headers[":error-code"] ?? "", { message: headers[":error-message"] });
  const data = Buffer.from(asText(body?.["bytes"]) ?? "", "base64").toString("utf8");
  if (data === "") return { raw: Buffer.alloc(0), event: undefined };
  const type = TYPE.exec(data)?.[1] ?? asText(asObject(parseJson(data))?.["type"]) ?? "message";
  return toSse(type, data);
}
