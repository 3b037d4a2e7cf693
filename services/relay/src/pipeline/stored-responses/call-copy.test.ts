import { describe, expect, it } from "vitest";
import type { Admitted } from "../../core/call/caller.ts";
import { readExactJson } from "../../core/chat/exact-json.ts";
import type { Json } from "../../core/chat/chat.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { readRelayCall } from "../prepare/read/call-reader.ts";
import { copyCall, restoreCall } from "./call-copy.ts";
import type { CallCopy } from "./call-copy-fields.ts";

const ADMITTED = {
  caller: { known: { token: { id: 7, userId: 1, group: "vip", key: "the-key" } }, principal: { group: "default" } },
  pinnedChannelId: 3,
} as unknown as Admitted;
const ITEMS = [{ role: "user", content: "a telling text" }];

const read = (body: Json, headers: Record<string, string> = {}) =>
  readRelayCall({
    requestId: "01J00000000000000000000000",
    startedAtMs: 5,
    address: "10.0.0.1",
    admitted: ADMITTED,
    dialect: openAiResponses,
    headers: { authorization: "Bearer the-key", ...headers },
    bodyText: JSON.stringify(body),
  });
const parts = { previous: undefined, conversationId: undefined, earlierCount: 0 };
/** As it is stored and read again. */
const store = (copy: CallCopy): CallCopy => readExactJson(JSON.stringify(copy)) as CallCopy;

describe("copy of a background call", () => {
  it("restores everything that the request contains", () => {
    const headers = {
      "x-session-id": "session-1",
      "x-turnpike-max-cost": "0.05",
      "x-turnpike-fallbacks": "other-model",
    };
    const body = { model: "m", input: ITEMS, stream: true, max_output_tokens: 100, seed: 1, usage: { include: true } };
    const call = read(body, headers);
    const restored = restoreCall(store(copyCall(call, ITEMS, parts)), ITEMS, ADMITTED);
    const { request: readRequest, watch: _watch, ...fields } = call;
    const { request, watch: _newWatch, ...others } = restored;
    expect(others).toEqual(fields);
    expect(request()).toEqual(readRequest());
    expect(call).toMatchObject({ sessionId: "session-1", maxDollars: 0.05, fallbackModels: ["other-model"] });
  });

  it("restores a call that has none of the optional fields", () => {
    const call = read({ model: "m", input: "text", stream: true });
    const stored = [{ type: "message", role: "user", content: [{ type: "input_text", text: "text" }] }];
    const restored = restoreCall(store(copyCall(call, stored, parts)), stored, ADMITTED);
    const { request: _request, watch: _watch, ...fields } = call;
    expect(restored).toMatchObject({ ...fields, body: { model: "m", input: "text", stream: true } });
  });

  it("holds no key, and an input that the response holds only once", () => {
    const call = read({ model: "m", input: ITEMS });
    const text = JSON.stringify(copyCall(call, call.body["input"] as Json[], parts));
    expect(text).not.toContain("the-key");
    expect(text).not.toContain("a telling text");
    expect(text).toContain('"tokenId":7');
  });
});
