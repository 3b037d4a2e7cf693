import { describe, expect, it } from "vitest";
import type { ChatResponse, StreamPart } from "../../core/chat/chat.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import { openAiCompact } from "./compact.ts";
import { openAiResponses } from "./openai-responses.ts";

const PATH = { model: "m", stream: false };
const parse = (body: object) => openAiCompact.parseRequest({ model: "m", ...body }, PATH);
const usage = { promptTokens: 5, completionTokens: 2, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const respond = (text: string, finishReason: ChatResponse["finishReason"] = "stop"): unknown => {
  const response = { parts: [{ type: "text", text }], finishReason, usage } as unknown as ChatResponse;
  const context: ResponseContext = {
    requestId: "R1",
    model: "m",
    includeUsage: false,
    createdAtSeconds: 7,
    sealSummary: (summary) => `sealed(${summary})`,
  };
  return openAiCompact.writeResponse(response, context);
};

describe("summary request", () => {
  it("holds the conversation as text, without tools, reasoning or the caller's instructions as its own", () => {
    const request = parse({
      instructions: "Speak like a sailor.",
      tools: [{ type: "function", name: "read", parameters: {} }],
      input: [
        { role: "user", content: [{ type: "input_text", text: "Read a.txt." }] },
        { type: "reasoning", summary: [{ type: "summary_text", text: "secret" }] },
        { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a.txt"}' },
        { type: "function_call_output", call_id: "c1", output: "nine lines" },
      ],
    });
    expect(request.tools ?? []).toEqual([]);
    expect(request.maxOutputTokens).toBe(8192);
    expect(JSON.stringify(request.system)).not.toContain("sailor");
    expect(request.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    const parts = request.messages.flatMap((message) => message.parts);
    expect(parts.every(({ type }) => type === "text")).toBe(true);
    expect(JSON.stringify(parts)).toMatch(
      /sailor.*Read a\.txt.*Call of the tool read.*Result of the tool read.*nine lines/,
    );
    expect(JSON.stringify(parts)).not.toContain("secret");
  });

  it("keeps images, and is no longer than the model's maximum output", () => {
    const image = { type: "input_image", image_url: "data:image/png;base64,aGk=" };
    const request = parse({ model: "gpt-4", input: [{ role: "user", content: [image] }] });
    expect(request.messages[0]?.parts.some(({ type }) => type === "image")).toBe(true);
    expect(request.maxOutputTokens).toBe(4096);
  });

  it("refuses a response that only an account stores", () => {
    expect(() => parse({ previous_response_id: "resp_1", input: "x" })).toThrow("previous_response_id");
  });
});

describe("compaction", () => {
  it("holds the sealed summary and the usage", () => {
    expect(respond(" Done. ")).toMatchObject({
      id: "resp_R1",
      object: "response.compaction",
      created_at: 7,
      output: [{ id: "cmp_R1", type: "compaction", encrypted_content: "sealed(Done.)" }],
      usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
    });
  });

  it("reports that its summary was cut, and fails without a summary", () => {
    for (const reason of ["length", "other", "paused"] as const)
      expect(JSON.stringify(respond("Half", reason))).toMatch(/Half.*was cut/);
    expect(() => respond(" ")).toThrow("no summary");
  });
});

describe("turn that ends with a compaction trigger", () => {
  const input = [{ role: "user", content: "Read a.txt." }, { type: "compaction_trigger" }];
  const context: ResponseContext = {
    requestId: "R1",
    model: "m",
    includeUsage: true,
    createdAtSeconds: 7,
    requested: { model: "m", input },
    sealSummary: (summary) => `sealed(${summary})`,
  };
  const ITEM = { id: "cmp_R1", type: "compaction", encrypted_content: "sealed(Done.)" };
  const stream = (text: string): Record<string, unknown>[] => {
    const writer = openAiResponses.newStreamWriter(context);
    const parts = [
      { type: "start", id: "x", model: "m" },
      { type: "reasoning-delta", text: "secret" },
      { type: "text-delta", text },
      { type: "finish", reason: "stop", usage },
    ] as unknown as StreamPart[];
    const frames = parts
      .map((part) => writer.write(part))
      .join("")
      .split("\n\n");
    return frames.filter(Boolean).map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as never);
  };

  it("requests a summary of what precedes it, without the tools and the format of the turn", () => {
    const request = openAiResponses.parseRequest(
      {
        model: "m",
        stream: true,
        input,
        tools: [{ type: "function", name: "read", parameters: {} }],
        tool_choice: "required",
        text: { format: { type: "json_schema", name: "a", schema: {} } },
        max_output_tokens: 100,
      },
      PATH,
    );
    expect([request.stream, request.maxOutputTokens, request.tools ?? []]).toEqual([true, 100, []]);
    expect(request.responseFormat).toBeUndefined();
    expect(JSON.stringify(request.messages)).toMatch(/Read a\.txt.*Compact the conversation/);
  });

  it("is refused where it continues what only an account stores", () => {
    const body = { model: "m", input, previous_response_id: "resp_1" };
    expect(() => openAiResponses.parseRequest(body, PATH)).toThrow("previous_response_id");
  });

  it("returns a response of the one item, also as a stream", () => {
    const response = {
      parts: [{ type: "text", text: "Done." }],
      finishReason: "stop",
      usage,
    } as unknown as ChatResponse;
    expect(openAiResponses.writeResponse(response, context)).toMatchObject({
      object: "response",
      status: "completed",
      output: [ITEM],
      usage: { input_tokens: 5, output_tokens: 2 },
    });
    const events = stream("Done.");
    expect(events.map(({ type, sequence_number: number }) => [type, number])).toEqual([
      ["response.created", 0],
      ["response.in_progress", 1],
      ["response.output_item.added", 2],
      ["response.output_item.done", 3],
      ["response.completed", 4],
    ]);
    expect(events[3]).toMatchObject({ item: ITEM });
    expect(events[4]).toMatchObject({ response: { output: [ITEM], usage: { input_tokens: 5 } } });
  });

  it("ends its stream with an error where the model returns no summary", () => {
    expect(stream(" ").at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "upstream_error" } },
    });
  });

  it("is passed over in later turns, which hold its result", () => {
    const later = [...input, { role: "user", content: "next" }];
    const { messages } = openAiResponses.parseRequest({ model: "m", input: later }, PATH);
    expect(JSON.stringify(messages)).toMatch(/Read a\.txt.*next/);
    expect(JSON.stringify(messages)).not.toContain("trigger");
  });
});
