import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { checkChatBody } from "../../dialects/shared/fields.ts";
import { RelayError } from "../errors/relay-error.ts";
import { anthropic } from "../../providers/anthropic/anthropic.ts";
import { targetFor } from "../../providers/shared/fixtures.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import { refuseThread } from "./anthropic-thread.ts";

const BODY = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }], thread: { type: "create" } };

const getRefusal = (act: () => unknown): RelayError => {
  try {
    act();
  } catch (error) {
    if (error instanceof RelayError) return error;
  }
  throw new Error("nothing was refused");
};

describe("conversation stored by Anthropic", () => {
  it("is passed to Anthropic unchanged", () => {
    expect(anthropic.adaptBody?.(BODY, targetFor({ channelType: 14, model: "m" }))).toBe(BODY);
  });

  it("may continue without new messages, unlike any other call", () => {
    const isPassThrough = { ...BODY, messages: [], thread: { type: "continue", previous_message_id: "msg_1" } };
    expect(checkChatBody(isPassThrough)).toBe(isPassThrough);
    expect(() => checkChatBody({ ...BODY, messages: [] })).toThrowError(RelayError);
  });

  it.each([33, 41])("is refused on a channel of type %i, which serves only Claude", (type) => {
    const model = "claude-sonnet-4-5-20250929";
    const given = findProvider(type);
    const provider = given?.forModel?.(model) ?? given;
    expect(() => provider?.adaptBody?.(BODY, targetFor({ channelType: type, model }))).toThrowError(RelayError);
  });

  it("is refused for other models so that Anthropic's client sends the whole conversation", () => {
    const error = getRefusal(() => anthropicMessages.parseRequest(BODY));
    expect(anthropicMessages.writeError(error, "r")).toMatchObject({
      error: { type: "invalid_request_error", details: { error_code: "thread_unsupported_request" } },
    });
  });

  it.each([undefined, null])("is not assumed for %s", (thread) => {
    expect(() => refuseThread({ ...BODY, thread })).not.toThrow();
  });
});
