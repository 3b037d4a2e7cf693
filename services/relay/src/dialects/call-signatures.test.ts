import { describe, expect, it } from "vitest";
import type { ChatRequest, ChatResponse, Json, StreamPart } from "../core/chat/chat.ts";
import type { ResponseContext } from "../core/call/dialect.ts";
import { asObject, asObjects } from "../core/chat/json.ts";
import { writeClaudeTurns } from "../providers/formats/anthropic/claude-messages.ts";
import { removeUnsignedReasoning } from "../providers/formats/anthropic/unsigned-reasoning.ts";
import { writeContents } from "../providers/formats/gemini/gemini-contents.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const SIGNATURE = "Ci8BVKhc7mUcfA==";
const context: ResponseContext = { requestId: "01JABC", model: "m", includeUsage: true, createdAtSeconds: 1 };
const call = { type: "tool-call", id: "call_a", name: "f", argumentsText: "{}", signature: SIGNATURE } as const;
const response: ChatResponse = {
  id: "r",
  createdAtSeconds: 1,
  model: "m",
  parts: [{ type: "text", text: "Wait." }, call, { ...call, id: "call_b", signature: undefined as never }],
  finishReason: "tool-calls",
  usage: undefined,
};
const parts: StreamPart[] = [
  { type: "start", id: "r", model: "m" },
  { type: "text-delta", text: "Wait." },
  { type: "tool-call-start", index: 0, id: "call_a", name: "f", signature: SIGNATURE },
  { type: "tool-call-delta", index: 0, argumentsText: "{}" },
  { type: "tool-call-start", index: 1, id: "call_b", name: "f" },
  { type: "tool-call-delta", index: 1, argumentsText: "{}" },
  { type: "finish", reason: "tool-calls", usage: undefined },
];

const readEvents = (dialect: typeof openAiResponses): Json[] => {
  const writer = dialect.newStreamWriter(context);
  const text = parts.map((part) => writer.write(part)).join("");
  return text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6)) as Json] : []));
};

/** The signatures that Gemini gets with the calls of a conversation. */
const getSignatures = ({ messages }: ChatRequest): unknown[] =>
  writeContents(messages, true)
    .flatMap(({ parts: written }) => asObjects(written))
    .flatMap((part) => (part["functionCall"] === undefined ? [] : [part["thoughtSignature"]]));

/** The blocks of a stream, as Anthropic's clients put them together. */
const collectBlocks = (): Json[] => {
  const blocks: Json[] = [];
  for (const event of readEvents(anthropicMessages)) {
    const block = asObject(event["content_block"]);
    if (block) blocks.push(block);
    const text = asObject(event["delta"])?.["text"];
    if (typeof text === "string") blocks.push({ ...blocks.pop(), text });
  }
  return blocks;
};

const parseAnthropic = (content: readonly Json[]): ChatRequest => {
  const results = ["call_a", "call_b"].map((id) => ({ type: "tool_result", tool_use_id: id, content: "1" }));
  const messages = [
    { role: "user", content: "Go" },
    { role: "assistant", content },
    { role: "user", content: results },
  ];
  return anthropicMessages.parseRequest({ model: "m", max_tokens: 9, messages });
};

const parseResponses = (output: readonly Json[]): ChatRequest => {
  const results = ["call_a", "call_b"].map((call_id) => ({ type: "function_call_output", call_id, output: "1" }));
  const input = [{ role: "user", content: "Go" }, ...output, ...results];
  return openAiResponses.parseRequest({ model: "m", input }, { model: "m", stream: false });
};

const getContent = (written: unknown): Json[] => asObjects(asObject(written)?.["content"]);
const getOutput = (written: unknown): Json[] => asObjects(asObject(written)?.["output"]);

describe("signature of Gemini's tool calls", () => {
  it.each([
    ["non-streaming", () => getContent(anthropicMessages.writeResponse(response, context))],
    ["streaming", collectBlocks],
  ])("returns with the call from Anthropic's callers (%s)", (_, write) => {
    const content = write();
    expect(content.map(({ type }) => type)).toEqual(["text", "redacted_thinking", "tool_use", "tool_use"]);
    expect(getSignatures(parseAnthropic(content))).toEqual([SIGNATURE, undefined]);
  });

  it.each([
    ["non-streaming", () => getOutput(openAiResponses.writeResponse(response, context))],
    ["streaming", () => getOutput(readEvents(openAiResponses).at(-1)?.["response"])],
  ])("returns with the call from callers of responses (%s)", (_, write) => {
    const output = write();
    expect(output.map(({ type }) => type)).toEqual(["message", "reasoning", "function_call", "function_call"]);
    expect(getSignatures(parseResponses(output))).toEqual([SIGNATURE, undefined]);
  });

  it("is not sent to Claude, which refuses it", () => {
    const content = getContent(anthropicMessages.writeResponse(response, context));
    expect(JSON.stringify(writeClaudeTurns(parseAnthropic(content).messages))).not.toContain("thinking");
    const messages = [{ role: "assistant", content }];
    expect(JSON.stringify(removeUnsignedReasoning({ messages }))).not.toContain("thinking");
  });
});
