import { describe, expect, it } from "vitest";
import { RelayError } from "../../core/errors/relay-error.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { CONTEXT, USAGE } from "./anthropic-fixtures.ts";

describe("Anthropic response", () => {
  it("carries reasoning, text, tool calls and usage, with input_tokens excluding cached tokens", () => {
    const response = anthropicMessages.writeResponse(
      {
        id: "chatcmpl-1",
        model: "gpt",
        createdAtSeconds: 0,
        parts: [
          { type: "reasoning", text: "hm", signature: "sig" },
          { type: "redacted-reasoning", data: "xyz" },
          { type: "text", text: "yes" },
          { type: "tool-call", id: "call_1", name: "f", argumentsText: '{"a":1}' },
          { type: "tool-call", id: "call_2", name: "g", argumentsText: '{"cut' },
        ],
        finishReason: "tool-calls",
        usage: USAGE,
      },
      CONTEXT,
    );
    expect(response).toMatchInlineSnapshot(`
      {
        "content": [
          {
            "signature": "sig",
            "thinking": "hm",
            "type": "thinking",
          },
          {
            "data": "xyz",
            "type": "redacted_thinking",
          },
          {
            "text": "yes",
            "type": "text",
          },
          {
            "id": "call_1",
            "input": {
              "a": 1,
            },
            "name": "f",
            "type": "tool_use",
          },
          {
            "id": "call_2",
            "input": {
              "_raw": "{"cut",
            },
            "name": "g",
            "type": "tool_use",
          },
        ],
        "id": "msg_req1",
        "model": "claude-x",
        "role": "assistant",
        "stop_reason": "tool_use",
        "stop_sequence": null,
        "type": "message",
        "usage": {
          "cache_creation_input_tokens": 10,
          "cache_read_input_tokens": 40,
          "input_tokens": 50,
          "output_tokens": 5,
        },
      }
    `);
  });

  it.each([
    ["stop", "end_turn"],
    ["stop-sequence", "stop_sequence"],
    ["length", "max_tokens"],
    ["tool-calls", "tool_use"],
    ["content-filter", "refusal"],
    ["paused", "pause_turn"],
    ["other", "max_tokens"],
  ] as const)("maps finish reason %s to %s", (finishReason, stopReason) => {
    const response = { id: "msg_1", model: "m", createdAtSeconds: 0, parts: [], finishReason, usage: undefined };
    expect(anthropicMessages.writeResponse(response, CONTEXT)).toMatchObject({ id: "msg_1", stop_reason: stopReason });
  });
});

describe("Anthropic error", () => {
  it.each([
    ["insufficient_user_quota", "billing_error"],
    ["invalid_api_key", "authentication_error"],
    ["rate_limit_exceeded", "rate_limit_error"],
    ["no_available_channel", "overloaded_error"],
  ] as const)("maps the relay's own code %s to %s", (code, type) => {
    expect(anthropicMessages.writeError(new RelayError(code, "no"), "req1")).toEqual({
      type: "error",
      error: { type, message: "no (request id: req1)" },
      request_id: "req1",
    });
  });

  it.each([
    ["overloaded_error", 529, "overloaded_error"],
    ["insufficient_quota", 429, "billing_error"],
    [undefined, 400, "invalid_request_error"],
    ["server_error", 500, "api_error"],
    ["invalid_request_error", 401, "authentication_error"],
    ["invalid_request_error", 404, "not_found_error"],
    ["invalid_request_error", 400, "invalid_request_error"],
    ["permission_error", 403, "permission_error"],
  ])("maps an upstream error of type %s and status %i to %s", (type, status, expected) => {
    const upstream = { message: "m", type, code: undefined, param: undefined };
    const error = new RelayError("upstream_error", "m", { status, upstream });
    expect(anthropicMessages.writeError(error, "req1")).toMatchObject({ error: { type: expected, message: "m" } });
  });
});
