import Anthropic from "@anthropic-ai/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { type SdkWorld, UPSTREAMS, USAGE, WEATHER } from "../../lib/sdk-world.ts";

/** Anthropic's client with every upstream. */
export function anthropicSdk(place: SdkWorld): void {
  let client: Anthropic;
  beforeAll(() => {
    client = new Anthropic({ baseURL: place.url, apiKey: place.key, maxRetries: 0, timeout: 30_000 });
  });

  const user = (content: string) => ({ role: "user" as const, content });
  const tools = [{ name: WEATHER.name, description: WEATHER.description, input_schema: WEATHER.schema }];

  describe.each(UPSTREAMS)("Anthropic client with %s (%s)", (_, model) => {
    const request = { model, max_tokens: 2000, messages: [user("Weather?")] };

    it("receives messages", async () => {
      place.upstream.always({}, { text: "It is sunny.", usage: USAGE });
      const response = await client.messages.create({ ...request, system: "Be brief." });
      expect(response).toMatchObject({ type: "message", role: "assistant", stop_reason: "end_turn" });
      expect(response.content).toMatchObject([{ type: "text", text: "It is sunny." }]);
      expect(response._request_id).toMatch(/^[0-9A-Z]{26}$/);
      expect(response.usage).toMatchObject({ output_tokens: 50 });
      expect(response.usage.input_tokens + (response.usage.cache_read_input_tokens ?? 0)).toBe(400);
    });

    it("streams with its helper", async () => {
      place.upstream.always({}, { text: "It is sunny in Zürich.", usage: USAGE });
      const stream = client.messages.stream(request);
      const heard: string[] = [];
      stream.on("text", (delta) => heard.push(delta));
      const message = await stream.finalMessage();
      expect(heard.join("")).toBe("It is sunny in Zürich.");
      expect(heard.length).toBeGreaterThan(1);
      expect(message).toMatchObject({ stop_reason: "end_turn", usage: { output_tokens: 50 } });
    });

    it("uses tools, several at once next to text, and returns their results", async () => {
      const calls = [
        { name: "weather", arguments: WEATHER.input },
        { name: "weather", arguments: { city: "Genf" } },
      ];
      place.upstream.always({}, { text: "I will look.", toolCalls: calls, usage: USAGE });
      const requested = { ...request, tools, tool_choice: { type: "auto" as const } };
      const whole = await client.messages.create(requested);
      const streamed = await client.messages.stream(requested).finalMessage();
      for (const { content, stop_reason } of [whole, streamed]) {
        expect(stop_reason).toBe("tool_use");
        const uses = content.flatMap((block) => (block.type === "tool_use" ? [block] : []));
        expect(uses.map(({ input }) => input)).toEqual(calls.map((call) => call.arguments));
        expect(content.some(({ type }) => type === "text")).toBe(model !== "command-r-plus" || content.length > 2);
      }
      place.upstream.always({}, { text: "Sun.", usage: USAGE });
      const results = whole.content.flatMap((block) =>
        block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "sun" }] : [],
      );
      const kept = whole.content.filter(({ type }) => type !== "thinking");
      const last = await client.messages.create({
        ...requested,
        messages: [...request.messages, { role: "assistant", content: kept }, { role: "user", content: results }],
      });
      expect(last.content).toMatchObject([{ type: "text", text: "Sun." }]);
    });

    it("requests structured output", async () => {
      place.upstream.always({}, { text: JSON.stringify(WEATHER.input), usage: USAGE });
      const format = { type: "json_schema" as const, schema: WEATHER.schema };
      const response = await client.messages.create({ ...request, output_config: { format } });
      const [block] = response.content;
      expect(JSON.parse(block?.type === "text" ? block.text : "")).toEqual(WEATHER.input);
    });

    it("cancels upstream when it aborts", async () => {
      place.upstream.always({}, { pieces: 200, frameGapMs: 20 });
      const stream = client.messages.stream(request);
      stream.on("text", () => stream.abort());
      await expect(stream.done()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
      await expect.poll(() => place.upstream.calls.map(({ outcome }) => outcome)).toEqual(["client-disconnected"]);
    });

    it("throws its own error classes", async () => {
      const classes = [
        [400, Anthropic.BadRequestError, "invalid_request_error"],
        [429, Anthropic.RateLimitError, "rate_limit_error"],
        [500, Anthropic.InternalServerError, "api_error"],
      ] as const;
      for (const [status, kind, type] of classes) {
        place.upstream.reset();
        place.upstream.always({}, { refuse: { status, message: "no, thank you" } });
        const error = await client.messages.create(request).then(
          () => undefined,
          (cause: unknown) => cause,
        );
        expect(error).toBeInstanceOf(kind);
        expect(error).toMatchObject({ error: { type: "error", error: { type } } });
        expect((error as Error).message).toContain("no, thank you");
      }
    });

    it("receives an error for a cut stream", async () => {
      place.upstream.always({}, { pieces: 20, cutAfterFrames: 9 });
      await expect(client.messages.stream(request).finalMessage()).rejects.toBeInstanceOf(Error);
    });
  });

  describe.each(UPSTREAMS.filter(([name]) => name !== "Cohere"))("thinking with %s (%s)", (name, model) => {
    it("is returned as thinking blocks, streamed and not", async () => {
      place.upstream.always(
        {},
        { reasoning: "Let me see now.", text: "Sunny.", usage: { ...USAGE, reasoningTokens: 5 } },
      );
      const request = { model, max_tokens: 2000, messages: [user("Weather?")] };
      const thinking =
        name === "Anthropic" || name === "Bedrock" ? { type: "enabled" as const, budget_tokens: 1024 } : undefined;
      const requested = thinking ? { ...request, thinking } : request;
      const whole = await client.messages.create(requested);
      const streamed = await client.messages.stream(requested).finalMessage();
      for (const { content } of [whole, streamed]) {
        expect(content.map(({ type }) => type)).toEqual(["thinking", "text"]);
        expect(content[0]).toMatchObject({ thinking: "Let me see now." });
      }
    });
  });

  describe("Anthropic client", () => {
    it("counts tokens at no cost", async () => {
      const counted = await client.messages.countTokens({ model: UPSTREAMS[1][1], messages: [user("hello world")] });
      expect(counted.input_tokens).toBeGreaterThan(1);
      expect(place.upstream.calls).toEqual([]);
    });

    it("receives 401 and 404 as its own error classes", async () => {
      const request = { model: "nobody", max_tokens: 10, messages: [user("hi")] };
      const stranger = new Anthropic({ baseURL: place.url, apiKey: "sk-nobody", maxRetries: 0 });
      await expect(stranger.messages.create(request)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
      await expect(client.messages.create(request)).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    });

    it("lists models", async () => {
      const ids: string[] = [];
      for await (const { id } of client.models.list()) ids.push(id);
      expect(ids).toEqual(expect.arrayContaining(UPSTREAMS.map(([, model]) => model)));
    });

    it("sends betas and unknown fields unchanged, and receives unknown events unchanged", async () => {
      const events = [
        'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"c","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}',
        'event: brand_new\ndata: {"type":"brand_new","kept":true}',
        'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
        'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}',
        'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}',
        'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}',
        'event: message_stop\ndata: {"type":"message_stop"}',
        "",
      ].join("\n\n");
      place.upstream.always({}, { raw: { headers: { "content-type": "text/event-stream" }, body: events } });
      const request = {
        model: UPSTREAMS[1][1],
        max_tokens: 10,
        messages: [user("hi")],
        stream: true as const,
        brand_new: [1],
      };
      const response = await client.messages
        .create(request, { headers: { "anthropic-beta": "a-beta-2026-01-01" } })
        .asResponse();
      expect(await response.text()).toBe(events);
      expect(place.upstream.calls[0]?.body["brand_new"]).toEqual([1]);
      expect(place.upstream.calls[0]?.headers["anthropic-beta"]).toBe("a-beta-2026-01-01");
    });
  });
}
