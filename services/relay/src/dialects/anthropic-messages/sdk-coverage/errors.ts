import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted } from "../../sdk-coverage/coverage-table.ts";
import { messageStart, streamBlock, TEXT_BLOCK, textDelta } from "./message-fixtures.ts";

const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
  timeout_error: 504,
  api_error: 500,
  overloaded_error: 529,
};

const body = ({ type, message }: Json): Json => ({ type: "error", error: { type, message }, request_id: "req_1" });

const ROWS = {
  invalid_request_error: {
    example: { type: "invalid_request_error", message: "messages: at least one message is required" },
    "openai-chat": converted("`invalid_request_error`"),
    "openai-responses": converted("`invalid_request_error`; in a stream `server_error` with the text"),
    gemini: converted("`INVALID_ARGUMENT`"),
  },
  authentication_error: {
    example: { type: "authentication_error", message: "invalid x-api-key" },
    "openai-chat": converted("`authentication_error`"),
    "openai-responses": converted("`authentication_error`; in a stream `server_error` with the text"),
    gemini: converted("`UNAUTHENTICATED`"),
  },
  billing_error: {
    example: { type: "billing_error", message: "Your credit balance is too low to access the Anthropic API." },
    "openai-chat": converted("`insufficient_quota`"),
    "openai-responses": converted("`insufficient_quota`"),
    gemini: converted("`RESOURCE_EXHAUSTED`"),
  },
  permission_error: {
    example: { type: "permission_error", message: "Your API key does not have permission to use the model." },
    "openai-chat": converted("`permission_error`"),
    "openai-responses": converted("`permission_error`; in a stream `server_error` with the text"),
    gemini: converted("`PERMISSION_DENIED`"),
  },
  not_found_error: {
    example: { type: "not_found_error", message: "model: claude-9" },
    "openai-chat": converted("`not_found_error`"),
    "openai-responses": converted("`not_found_error`; in a stream `server_error` with the text"),
    gemini: converted("`NOT_FOUND`"),
  },
  rate_limit_error: {
    example: { type: "rate_limit_error", message: "This request would exceed your rate limit." },
    "openai-chat": converted("`rate_limit_exceeded`"),
    "openai-responses": converted("`rate_limit_exceeded`"),
    gemini: converted("`RESOURCE_EXHAUSTED`"),
  },
  timeout_error: {
    example: { type: "timeout_error", message: "The request timed out." },
    "openai-chat": converted("`timeout_error`"),
    "openai-responses": converted("`timeout_error`; in a stream `server_error` with the text"),
    gemini: converted("`DEADLINE_EXCEEDED`"),
  },
  api_error: {
    example: { type: "api_error", message: "Internal server error" },
    "openai-chat": converted("`api_error`"),
    "openai-responses": converted("`api_error`; in a stream `server_error` with the text"),
    gemini: converted("`INTERNAL`; in a stream `UNAVAILABLE`"),
  },
  overloaded_error: {
    example: { type: "overloaded_error", message: "Overloaded" },
    "openai-chat": converted("`server_error`"),
    "openai-responses": converted("`server_error`"),
    gemini: converted("`UNAVAILABLE`"),
  },
};

/** Refusals with a status. */
export const ERRORS: CoverageTable = {
  title: "Messages: errors",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic-shared", type: "ErrorObject", members: "variants" },
  trial: {
    kind: "error",
    without: { status: 418, body: {} },
    place: (error: Json) => ({ status: STATUS[error["type"] as string] ?? 500, body: body(error) }),
  },
  rows: ROWS,
};

/** Errors after the first text of a stream. */
export const STREAMED_ERRORS: CoverageTable = {
  ...ERRORS,
  title: "Messages: errors of streams",
  trial: {
    kind: "stream",
    without: [messageStart(), ...streamBlock(0, TEXT_BLOCK, [textDelta("It is")])],
    place: (error: Json) => [messageStart(), ...streamBlock(0, TEXT_BLOCK, [textDelta("It is")]), body(error)],
  },
};
