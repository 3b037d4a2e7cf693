import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { getReferencedCallIds, inlineItems } from "./inline-items.ts";
import { createStoredItems } from "./stored-items.ts";

const CALL = "01HZZZZZZZZZZZZZZZZZZZZZZZ";
const message = {
  id: `msg_${CALL}_1`,
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "Sun.", annotations: [], logprobs: [] }],
};
const callItem = {
  id: `fc_${CALL}_2`,
  type: "function_call",
  status: "completed",
  call_id: "c1",
  name: "f",
  arguments: "{}",
};
const reasoning = { id: `rs_${CALL}_0`, type: "reasoning", summary: [] };

function fakeRedis() {
  const kept = new Map<string, string>();
  return {
    kept,
    set: (key: string, value: string) => Promise.resolve(void kept.set(key, value)),
    get: (key: string) => Promise.resolve(kept.get(key) ?? null),
  };
}
const itemsIn = (redis: ReturnType<typeof fakeRedis>) =>
  createStoredItems(redis as unknown as Parameters<typeof createStoredItems>[0]);

const refer = (...ids: string[]) => ids.map((id) => ({ type: "item_reference", id }));
const callWith = (input: unknown): RelayCall =>
  ({
    dialect: openAiResponses,
    body: { model: "m", input },
    estimatePromptTokens: 5,
    model: "m",
    stream: false,
  }) as unknown as RelayCall;

describe("stored response item", () => {
  it("is found only by the same user, and reasoning is not stored", async () => {
    const items = itemsIn(fakeRedis());
    items.keep({ userId: 1, requestId: CALL, seconds: 60 }, [reasoning, message, callItem]);
    expect([...(await items.find(1, [CALL])).keys()]).toEqual([message.id, callItem.id]);
    expect((await items.find(2, [CALL])).size).toBe(0);
  });

  it("is not stored if the response is too long or empty", () => {
    const redis = fakeRedis();
    const place = { userId: 1, requestId: CALL, seconds: 60 };
    itemsIn(redis).keep(place, [{ ...callItem, arguments: "x".repeat(70_000) }]);
    itemsIn(redis).keep(place, [reasoning]);
    expect(redis.kept.size).toBe(0);
  });

  it("is referred to only by ids of this gateway", () => {
    const input = refer(message.id, reasoning.id, "msg_68a1f0c2", callItem.id);
    expect(getReferencedCallIds({ input: [...input, { role: "user", content: message.id }] })).toEqual([CALL]);
    expect(getReferencedCallIds({ input: [{ id: message.id }] })).toEqual([CALL]);
    expect(getReferencedCallIds({ input: refer(`ctc_${CALL}_0`) })).toEqual([CALL]);
    expect(getReferencedCallIds({ input: "hello" })).toEqual([]);
  });

  it("replaces its reference, as a message or call of the conversation", () => {
    const items = new Map<string, Json>([
      [message.id, message],
      [callItem.id, callItem],
    ]);
    const inlined = inlineItems(callWith(refer(reasoning.id, message.id, callItem.id)), items);
    expect(inlined.body["input"]).toEqual([
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Sun." }] },
      { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
    ]);
    expect(JSON.parse(inlined.bodyText)).toEqual(inlined.body);
    expect(inlined.estimatePromptTokens).toBeGreaterThan(5);
    expect(inlined.request().messages).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "text", text: "Sun." },
          { type: "tool-call", id: "c1", name: "f", argumentsText: "{}" },
        ],
      },
    ]);
  });

  it("is refused by name if unknown", () => {
    expect(() => inlineItems(callWith(refer(message.id)), new Map()).request()).toThrow(/cannot be looked up/);
  });
});
