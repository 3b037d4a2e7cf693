import { describe, expect, it } from "vitest";
import { streamed } from "./stream/stream-attempt-fixtures.ts";

const OPENAI = 1;
const ANTHROPIC = 14;
type Event = { readonly type: string; readonly [name: string]: unknown };
const typed = (value: Event): string => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

const response = {
  id: "resp_1",
  object: "response",
  model: "gpt-5",
  status: "in_progress",
  instructions: "long",
  output: [],
};
const created = typed({ type: "response.created", sequence_number: 0, response });
const delta = typed({ type: "response.output_text.delta", sequence_number: 4, item_id: "m", delta: "Hello" });
const failed = (code: string, message: string): string =>
  typed({
    type: "response.failed",
    sequence_number: 5,
    response: { ...response, status: "failed", error: { code, message }, usage: null },
  });

/** Sends each event as a chunk of its own to a caller of the Responses API. */
const send = (events: readonly string[], { isLast = false, type = OPENAI } = {}) =>
  streamed(
    "openai-responses",
    type,
    (sink) => {
      for (const event of events) sink.data(Buffer.from(event));
      sink.fail(new Error("reset"));
    },
    { isLast },
  );

const readEvents = (text: string): Record<string, never>[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as Record<string, never>);

describe("failed response of OpenAI, for callers of the Responses API", () => {
  const QUOTA = failed("insufficient_quota", "You exceeded your current quota.");
  const LIMIT = failed("rate_limit_exceeded", "Rate limit reached. Please try again in 1.5s.");

  it("passes as it is after content", async () => {
    const { text, result } = await send([created, delta, LIMIT]);
    expect(text).toBe(created + delta + LIMIT);
    expect(result).toMatchObject({ error: { status: 429 }, isRecorded: false });
  });

  it.each([QUOTA, LIMIT])("passes as it is without content once no other channel is left: %s", async (event) => {
    await expect(send([created, event])).rejects.toMatchObject({ status: 429 });
    const { text, result } = await send([created, event], { isLast: true });
    expect(text).toBe(created + event);
    expect(result).toMatchObject({ error: { status: 429 }, isRecorded: true });
  });

  it("passes without the provider's keys and addresses", async () => {
    const { text } = await send([
      created,
      delta,
      failed("server_error", "key sk-abcdef at https://internal.example/x"),
    ]);
    expect(text).not.toMatch(/sk-abcdef|internal\.example/);
    expect(readEvents(text).at(-1)).toMatchObject({ type: "response.failed", sequence_number: 5 });
  });

  it("ends with a failed response if upstream sends only an error event", async () => {
    const error = typed({
      type: "error",
      sequence_number: 5,
      code: "server_error",
      message: "overheated",
      param: null,
    });
    const { text } = await send([created, delta, error]);
    expect(text.startsWith(created + delta + error)).toBe(true);
    expect(readEvents(text).at(-1)).toMatchObject({
      type: "response.failed",
      sequence_number: 6,
      response: {
        id: "resp_1",
        model: "gpt-5",
        status: "failed",
        error: { code: "server_error", message: "overheated" },
      },
    });
  });

  it("ends with a failed response if the stream breaks, numbered after upstream's events", async () => {
    const events = readEvents((await send([created, delta])).text);
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.output_text.delta",
      "response.failed",
    ]);
    expect(events[2]).toMatchObject({
      sequence_number: 5,
      response: { id: "resp_1", status: "failed", instructions: null, error: { code: "no_answer" } },
    });
  });
});

it("does not begin a response again whose events have no numbers", async () => {
  const bare = { type: "response.created", response };
  const { text } = await send([bare, { type: "response.output_text.delta", delta: "Hi" }].map(typed));
  expect(readEvents(text).map(({ type }) => type)).toEqual([
    "response.created",
    "response.output_text.delta",
    "response.failed",
  ]);
});

describe("failed response of another format, for callers of the Responses API", () => {
  it("ends with a failed response that has the next number", async () => {
    const events = [
      { type: "message_start", message: { id: "msg_1", model: "m", usage: { input_tokens: 3, output_tokens: 1 } } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    ];
    const { text } = await send(events.map(typed), { type: ANTHROPIC });
    const sent = readEvents(text);
    expect(sent.map((event) => event["sequence_number"])).toEqual(sent.map((_, index) => index));
    expect(sent.at(-1)).toMatchObject({
      type: "response.failed",
      response: { id: "resp_req1", object: "response", status: "failed", error: { message: "Overloaded" }, output: [] },
    });
  });
});
