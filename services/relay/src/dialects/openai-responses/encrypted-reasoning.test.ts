import { describe, expect, it } from "vitest";
import type { Json, StreamPart } from "../../core/chat/chat.ts";
import { asObject, asObjects, parseJson } from "../../core/chat/json.ts";
import { targetFor } from "../../providers/shared/fixtures.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import { openAiResponses } from "./openai-responses.ts";

const SIGNED = { type: "reasoning", text: "Let me see.", signature: "sig" } as const;
const SEALED = { type: "redacted-reasoning", data: "xyz" } as const;
const CALL = { type: "tool-call", id: "call_1", name: "f", argumentsText: "{}" } as const;
const include = ["reasoning.encrypted_content"];
const context = (requested: Json) => ({
  requestId: "r",
  model: "m",
  includeUsage: true,
  createdAtSeconds: 1,
  requested,
});

const STREAM: readonly StreamPart[] = [
  { type: "start", id: "", model: "m" },
  { type: "redacted-reasoning", data: SEALED.data },
  { type: "reasoning-delta", text: "Let me " },
  { type: "reasoning-delta", text: "see." },
  { type: "reasoning-signature", signature: SIGNED.signature },
  { type: "tool-call-start", index: 0, id: CALL.id, name: CALL.name },
  { type: "tool-call-delta", index: 0, argumentsText: "{}" },
  { type: "finish", reason: "tool-calls", usage: undefined },
];

function completeOutput(requested: Json): Json[] {
  const response = { id: "", model: "m", createdAtSeconds: 1, finishReason: "tool-calls", usage: undefined } as const;
  const written = openAiResponses.writeResponse({ ...response, parts: [SEALED, SIGNED, CALL] }, context(requested));
  return asObjects(asObject(written)?.["output"]);
}

function streamedEvents(requested: Json): Json[] {
  const writer = openAiResponses.newStreamWriter(context(requested));
  const text = STREAM.map((part) => writer.write(part)).join("");
  return asObjects(text.split("\n\n").map((event) => parseJson(event.split("\ndata: ")[1] ?? ""))).slice(0, -1);
}

const streamedOutput = (requested: Json): Json[] =>
  asObjects(asObject(streamedEvents(requested).at(-1)?.["response"])?.["output"]);

describe.each([
  ["whole", completeOutput],
  ["streamed", streamedOutput],
])("reasoning signed by Claude, in a %s response", (_, output) => {
  it("is restored unchanged from callers who request encrypted content", () => {
    const items = output({ include });
    expect(items.map(({ type }) => type)).toEqual(["reasoning", "reasoning", "function_call"]);
    expect(items.map(({ summary }) => summary)).toEqual([[], [{ type: "summary_text", text: SIGNED.text }], undefined]);
    const result = { type: "function_call_output", call_id: CALL.id, output: "done" };
    const input = [{ role: "user", content: "hi" }, ...items, result];
    const { messages } = openAiResponses.parseRequest({ model: "m", input }, { model: "m", stream: false });
    expect(messages[1]?.parts).toEqual([SEALED, SIGNED, { ...CALL }]);
  });

  it("is sent only as text to other callers", () => {
    const reasoning = output({}).filter(({ type }) => type === "reasoning");
    expect(reasoning).toMatchObject([{ summary: [{ text: SIGNED.text }] }]);
    expect(reasoning[0]).not.toHaveProperty("encrypted_content");
  });

  it("is removed for OpenAI, which cannot read it", () => {
    const own = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" };
    const responses = findProvider(1)?.endpoints?.["openai-responses"];
    const adapt = (input: readonly Json[]) =>
      responses?.adaptBody?.({ input }, targetFor({ channelType: 1, model: "m" }))["input"];
    expect(adapt([own, ...output({ include })])).toMatchObject([own, { type: "function_call" }]);
    const unsealed = { type: "reasoning", id: "rs_01M83NF160T9DWK0GG412E66TT_0", summary: [] };
    const openAis = { type: "reasoning", id: "rs_68c1a4f30f2c8190b1a7", summary: [] };
    expect(adapt([unsealed, openAis])).toEqual([openAis]);
  });
});

describe("reasoning without text", () => {
  it("opens and closes in a stream without a summary", () => {
    const types = streamedEvents({ include }).slice(2, 5);
    expect(types.map(({ type }) => type)).toEqual([
      "response.output_item.added",
      "response.output_item.done",
      "response.output_item.added",
    ]);
  });
});
