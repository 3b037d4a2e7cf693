import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import type { LogRow } from "../../lib/test-site.ts";
import { RESPONSES_MODELS, type SdkWorld, UPSTREAMS, WEATHER } from "../../lib/sdk-world.ts";

const MODEL = UPSTREAMS[6][1];
const { withoutStreams: WITHOUT_STREAMS, atAzure: AT_AZURE } = RESPONSES_MODELS;
const USAGE = { inputTokens: 400, cachedTokens: 100, outputTokens: 50, reasoningTokens: 30 };

/** Chat calls, by the clients of all three dialects, of models that upstream serves with the Responses API. */
export function responsesModels(place: SdkWorld): void {
  let openai: OpenAI;
  let anthropic: Anthropic;
  let google: GoogleGenAI["models"];
  beforeAll(() => {
    openai = new OpenAI({ baseURL: `${place.url}/v1`, apiKey: place.key, maxRetries: 0, timeout: 30_000 });
    anthropic = new Anthropic({ baseURL: place.url, apiKey: place.key, maxRetries: 0, timeout: 30_000 });
    google = new GoogleGenAI({ apiKey: place.key, httpOptions: { baseUrl: place.url, timeout: 30_000 } }).models;
  });

  const messages = [{ role: "user" as const, content: "Weather?" }];
  const lastCall = () => place.upstream.calls.at(-1);
  const { name, description, schema } = WEATHER;

  /** One streamed call of each dialect: the text received and the finish reason. */
  const STREAMS: Readonly<Record<string, (model: string) => Promise<{ text: string; end: unknown }>>> = {
    async openai(model) {
      const done = await openai.chat.completions.stream({ model, messages }).finalChatCompletion();
      return { text: done.choices[0]?.message.content ?? "", end: done.choices[0]?.finish_reason };
    },
    async anthropic(model) {
      const done = await anthropic.messages.stream({ model, max_tokens: 100, messages }).finalMessage();
      return {
        text: done.content.map((part) => (part.type === "text" ? part.text : "")).join(""),
        end: done.stop_reason,
      };
    },
    async google(model) {
      let text = "";
      let end: unknown;
      for await (const chunk of await google.generateContentStream({ model, contents: "Weather?" })) {
        text += chunk.text ?? "";
        end = chunk.candidates?.[0]?.finishReason ?? end;
      }
      return { text, end };
    },
  };

  describe.each(Object.keys(STREAMS))("stream with the client of %s", (dialect) => {
    const stream = (model: string) => STREAMS[dialect]?.(model);

    it.each([MODEL, WITHOUT_STREAMS, AT_AZURE])("is served by %s", async (model) => {
      place.upstream.always({}, { text: "It is sunny in Zürich.", reasoning: "Let me think.", usage: USAGE });
      expect(await stream(model)).toMatchObject({ text: "It is sunny in Zürich." });
      expect(lastCall()?.path).toBe(model === AT_AZURE ? "/openai/responses" : "/v1/responses");
      expect(lastCall()?.body["stream"]).toBe(model === WITHOUT_STREAMS ? undefined : true);
      expect(lastCall()?.body["store"]).toBe(false);
    });

    it.each([MODEL, WITHOUT_STREAMS])("reports that %s was cut short or filtered", async (model) => {
      place.upstream.next({}, { text: "It is", finish: "length" }, { text: "It is", finish: "content_filter" });
      const ends = [await stream(model), await stream(model)].map((heard) => heard?.end);
      const words = {
        openai: ["length", "content_filter"],
        anthropic: ["max_tokens", "refusal"],
        google: ["MAX_TOKENS", "SAFETY"],
      };
      expect(ends).toEqual(words[dialect as keyof typeof words]);
    });

    it.each([MODEL, WITHOUT_STREAMS])("is refused as %s refuses the call", async (model) => {
      place.upstream.always({}, { refuse: { status: 400, message: "too long", code: "context_length_exceeded" } });
      await expect(stream(model)).rejects.toThrowError(/too long/);
    });
  });

  it("sends upstream all parameters of an OpenAI call", async () => {
    place.upstream.always({}, { toolCalls: [{ name, arguments: WEATHER.input }], usage: USAGE });
    const response = await openai.chat.completions.create({
      model: MODEL,
      messages: [{ role: "developer", content: "Be brief." }, ...messages],
      tools: [{ type: "function", function: { name, description, parameters: schema, strict: true } }],
      tool_choice: "required",
      max_completion_tokens: 1_000,
      reasoning_effort: "low",
      verbosity: "low",
      service_tier: "flex",
      temperature: 1,
    });
    expect(response.choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
    expect(lastCall()?.body).toEqual({
      model: MODEL,
      instructions: "Be brief.",
      input: [{ role: "user", content: [{ type: "input_text", text: "Weather?" }] }],
      store: false,
      max_output_tokens: 1_000,
      tools: [{ type: "function", name, description, parameters: schema, strict: true }],
      tool_choice: "required",
      reasoning: { effort: "low" },
      text: { verbosity: "low" },
      service_tier: "flex",
    });
  });

  it("refuses by name what the API does not support", async () => {
    const request = { model: MODEL, messages };
    await expect(openai.chat.completions.create({ ...request, n: 2 })).rejects.toMatchObject({
      status: 400,
      param: "n",
    });
    const requested = openai.chat.completions.create({ ...request, logprobs: true });
    await expect(requested).rejects.toMatchObject({ status: 400, param: "logprobs" });
    expect(place.upstream.calls).toEqual([]);
  });

  it("charges the reported usage, with cached tokens at a lower price", async () => {
    place.upstream.always({}, { text: "Sun.", usage: USAGE });
    const { data, response } = await openai.chat.completions.create({ model: MODEL, messages }).withResponse();
    expect(data.usage).toMatchObject({
      prompt_tokens_details: { cached_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 30 },
    });
    const row: LogRow = await place.testSite.readLogRow(response.headers.get("x-request-id") ?? "");
    expect(row).toMatchObject({ prompt_tokens: 400, completion_tokens: 50 });
    expect(JSON.parse(row.other)).toMatchObject({ cache_tokens: 100 });
  });

  it.each([MODEL, WITHOUT_STREAMS, AT_AZURE])(
    "passes the console's channel test with the Responses API: %s",
    async (model) => {
      place.upstream.always({}, { text: "", finish: "length", usage: { inputTokens: 7, outputTokens: 16 } });
      const channels = await place.testSite.root.get<{ id: number; models: string }[]>("/api/channel/", {
        page_size: 100,
      });
      const id = channels.find((channel) => channel.models.split(",").includes(model))?.id;
      const response = await place.testSite.root.call<unknown>("GET", `/api/channel/test/${id}?model=${model}`);
      expect(JSON.parse(response.text)).toMatchObject({ success: true });
      expect(lastCall()).toMatchObject({ path: expect.stringMatching(/\/responses$/) as string, body: { model } });
    },
  );
}
