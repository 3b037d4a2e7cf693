import { expect, it } from "vitest";
import type { ResponseSink } from "../../../upstream/upstream-call.ts";
import { type DialectName, streamed } from "./stream-attempt-fixtures.ts";

const TEXTS = ["One ", 'two "three" ', "", "four\n\\five ", "你好 \u{1F600}", "six"];
const OPENAI = 1;
const ANTHROPIC = 14;

const openAiChunk = (fields: object): object => ({ id: "c", object: "chat.completion.chunk", model: "m", ...fields });
const openAiDelta = (delta: object, finish: string | null = null): object =>
  openAiChunk({ choices: [{ index: 0, delta, finish_reason: finish }] });
const OPENAI_EVENTS: readonly object[] = [
  openAiDelta({ role: "assistant", content: "" }),
  ...TEXTS.map((content) => openAiDelta({ content })),
  openAiDelta({}, "stop"),
  openAiChunk({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 7 } }),
];
const ANTHROPIC_EVENTS: readonly object[] = [
  { type: "message_start", message: { id: "msg", model: "m", usage: { input_tokens: 3, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ...TEXTS.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } },
  { type: "message_stop" },
];

/** Spaces between the fields: a spelling that only the parser reads. */
const spaced = (data: object): string => JSON.stringify(data, undefined, 1).replaceAll("\n", "");
const write = (data: object, toText: (data: object) => string): string =>
  "type" in data ? `event: ${String(data.type)}\ndata: ${toText(data)}\n\n` : `data: ${toText(data)}\n\n`;

it.each<[DialectName, number, readonly object[], string]>([
  ["anthropic-messages", OPENAI, OPENAI_EVENTS, "data: [DONE]\n\n"],
  ["gemini", OPENAI, OPENAI_EVENTS, "data: [DONE]\n\n"],
  ["openai-chat", ANTHROPIC, ANTHROPIC_EVENTS, ""],
])("converts text that it only skims like text that it parses, for %s callers of channel type %i", async (...pair) => {
  const [dialect, type, events, end] = pair;
  const send = (toText: (data: object) => string, bytesEach: number) => (sink: ResponseSink) => {
    const bytes = Buffer.from(events.map((event) => write(event, toText)).join("") + end);
    for (let at = 0; at < bytes.length; at += bytesEach) sink.data(bytes.subarray(at, at + bytesEach));
    sink.end();
  };
  const parsed = await streamed(dialect, type, send(spaced, 10_000));
  for (const bytesEach of [10_000, 40, 1]) {
    const skimmed = await streamed(dialect, type, send(JSON.stringify, bytesEach));
    expect(skimmed.result).toEqual(parsed.result);
    expect(skimmed.text).toBe(parsed.text);
  }
  expect(parsed.result?.usage).toMatchObject({ promptTokens: 3, completionTokens: 7 });
});
