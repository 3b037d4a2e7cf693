import OpenAI, { toFile } from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import { type SdkWorld, UPSTREAMS, USAGE, WEATHER } from "../../lib/sdk-world.ts";

/** OpenAI's client with the Responses API and on non-chat endpoints. */
export function openaiEndpoints(place: SdkWorld): void {
  let client: OpenAI;
  beforeAll(() => {
    client = new OpenAI({ baseURL: `${place.url}/v1`, apiKey: place.key, maxRetries: 0, timeout: 30_000 });
  });

  const tools = [
    {
      type: "function" as const,
      name: WEATHER.name,
      description: WEATHER.description,
      parameters: WEATHER.schema,
      strict: true,
    },
  ];

  describe.each(UPSTREAMS)("OpenAI client's responses with %s (%s)", (_, model) => {
    it("returns output", async () => {
      place.upstream.always({}, { text: "It is sunny.", usage: USAGE });
      const response = await client.responses.create({ model, instructions: "Be brief.", input: "Weather?" });
      expect(response.output_text).toBe("It is sunny.");
      expect(response).toMatchObject({ object: "response", status: "completed" });
      expect(response.usage).toMatchObject({ input_tokens: 400, output_tokens: 50, total_tokens: 450 });
    });

    it("streams with the helper", async () => {
      place.upstream.always({}, { text: "It is sunny in Zürich.", usage: USAGE });
      const stream = client.responses.stream({ model, input: "Weather?" });
      let text = "";
      stream.on("response.output_text.delta", ({ delta }) => (text += delta));
      const done = await stream.finalResponse();
      expect(text).toBe("It is sunny in Zürich.");
      expect(done).toMatchObject({ status: "completed", output_text: "It is sunny in Zürich." });
      expect(done.usage).toMatchObject({ input_tokens: 400, output_tokens: 50 });
    });

    it("calls tools and accepts their results", async () => {
      place.upstream.always({}, { toolCalls: [{ name: "weather", arguments: WEATHER.input }], usage: USAGE });
      const requested = [{ role: "user" as const, content: "Weather?" }];
      const whole = await client.responses.create({ model, input: requested, tools });
      const streamed = await client.responses.stream({ model, input: requested, tools }).finalResponse();
      for (const { output } of [whole, streamed]) {
        const call = output.find((item) => item.type === "function_call");
        expect(call).toMatchObject({ name: "weather", status: "completed" });
        expect(JSON.parse((call as { arguments: string }).arguments)).toEqual(WEATHER.input);
      }
      place.upstream.always({}, { text: "Sun.", usage: USAGE });
      const call = whole.output.find((item) => item.type === "function_call");
      const result = { type: "function_call_output" as const, call_id: call?.call_id ?? "", output: "sun" };
      const last = await client.responses.create({
        model,
        tools,
        input: [...requested, ...whole.output, result] as never,
      });
      expect(last.output_text).toBe("Sun.");
    });
  });

  describe("response with search", () => {
    const request = (model: string) =>
      client.responses.create({ model, input: "Weather?", tools: [...tools, { type: "web_search" }] });

    it.each(UPSTREAMS)("is served whether or not its provider searches: %s (%s)", async (_, model) => {
      place.upstream.always({}, { text: "Sun.", usage: USAGE });
      expect((await request(model)).output_text).toBe("Sun.");
    });

    it("uses the channel with search before channels that only serve chat", async () => {
      const model = "gpt-4.1-nano";
      const channels = { group: "default", models: model };
      const url = `${place.upstream.url}/v1/chat/completions`;
      const chat = { ...channels, type: 8, name: "chat alone", key: "chat-key", priority: 100, base_url: url };
      const search = { ...channels, type: 1, name: "search", key: "search-key", base_url: place.upstream.url };
      for (const channel of [chat, search]) await place.testSite.root.post("/api/channel/", channel);
      place.upstream.always({}, { text: "Sun.", usage: USAGE });
      const getKey = async (requested: Promise<unknown>) => {
        await requested;
        return place.upstream.calls.at(-1)?.key;
      };
      await place.testSite.eventually("the channels in the routing table", 3_000, async () => {
        const found = await getKey(request(model)).catch(() => undefined);
        return found === "search-key" ? true : undefined;
      });
      expect(await getKey(client.responses.create({ model, input: "Hi" }))).toBe("chat-key");
      expect(await getKey(request(model))).toBe("search-key");
      const stored = await place.testSite.root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
      for (const { id, name } of stored)
        if (name === chat.name || name === search.name) await place.testSite.root.delete(`/api/channel/${id}/`);
    });
  });

  describe("continued response", () => {
    const goOn = async (model: string) => {
      const { id } = await client.responses.create({ model: "gpt-4o-mini", input: "Hi" });
      place.upstream.reset();
      place.upstream.always({}, { text: "Yes.", usage: USAGE });
      return client.responses.create({ model, input: "And?", previous_response_id: id }, { timeout: 10_000 });
    };

    it("is found by the provider that stores it", async () => {
      expect((await goOn("gpt-4o-mini")).output_text).toBe("Yes.");
      expect(place.upstream.calls[0]?.body["previous_response_id"]).toMatch(/^resp_fake\d+$/);
    });

    it.each(UPSTREAMS.slice(1, -1))("is not found where nothing is stored: %s (%s)", async (_, model) => {
      const error = await goOn(model).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
      expect(error).toMatchObject({ param: "previous_response_id", code: "previous_response_not_found" });
      expect(place.upstream.calls).toEqual([]);
    });
  });

  describe("OpenAI client on non-chat endpoints", () => {
    it("creates embeddings, as base64 by default and as floats", async () => {
      place.upstream.always({}, { usage: USAGE });
      const request = { model: "text-embedding-3-small", input: "hi" };
      expect(Array.from((await client.embeddings.create(request)).data[0]?.embedding ?? [])).toEqual([0.5, -1, 2]);
      const floats = await client.embeddings.create({ ...request, encoding_format: "float" });
      expect(floats.data[0]?.embedding).toEqual([0.5, -1, 2]);
      expect(floats.usage.prompt_tokens).toBe(400);
    });

    it("creates and edits images", async () => {
      place.upstream.always({}, { usage: USAGE });
      expect((await client.images.generate({ model: "dall-e-3", prompt: "a cat" })).data?.[0]?.url).toContain(
        "https://",
      );
      const image = await toFile(Buffer.from("png"), "cat.png", { type: "image/png" });
      const edited = await client.images.edit({ model: "gpt-image-1", prompt: "a dog", image });
      expect(edited.data).toHaveLength(1);
      expect(edited.usage?.input_tokens).toBe(400);
    });

    it("creates speech and transcriptions", async () => {
      place.upstream.always({}, { text: "hello there" });
      const audio = await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "hello" });
      expect((await audio.arrayBuffer()).byteLength).toBeGreaterThan(0);
      expect(audio.headers.get("content-type")).toBe("audio/mpeg");
      const file = await toFile(Buffer.alloc(2000), "a.wav", { type: "audio/wav" });
      expect((await client.audio.transcriptions.create({ model: "whisper-1", file })).text).toBe("hello there");
      expect((await client.audio.translations.create({ model: "whisper-1", file })).text).toBe("hello there");
    });

    it("creates moderations and completions", async () => {
      const { results } = await client.moderations.create({ model: "omni-moderation-latest", input: "hi" });
      expect(results[0]?.flagged).toBe(false);
      place.upstream.always({}, { text: "upon a time" });
      const request = { model: "gpt-3.5-turbo-instruct", prompt: "Once" };
      expect((await client.completions.create(request)).choices[0]?.text).toBe("upon a time");
    });

    it("receives a clear error for unsupported calls", async () => {
      await expect(client.files.list()).rejects.toMatchObject({ status: 501 });
      await expect(client.fineTuning.jobs.list()).rejects.toMatchObject({ status: 501 });
      const request = { model: "claude-3-5-sonnet-20241022", input: "hi" };
      await expect(client.embeddings.create(request)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    });

    it("receives unknown events and fields of a response's stream", async () => {
      place.upstream.always(
        {},
        {
          raw: {
            headers: { "content-type": "text/event-stream" },
            body: [
              'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1"},"extra":1}',
              'event: response.brand_new\ndata: {"type":"response.brand_new","note":"kept"}',
              'event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}],"usage":{"input_tokens":3,"output_tokens":1,"total_tokens":4}}}',
              "",
            ].join("\n\n"),
          },
        },
      );
      const response = await client.responses.create({ model: "gpt-4o-mini", input: "hi", stream: true }).asResponse();
      const text = await response.text();
      expect(text).toContain('{"type":"response.brand_new","note":"kept"}');
      expect(text).toContain('"extra":1');
    });
  });
}
