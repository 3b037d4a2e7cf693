import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";
import { beforeAll, describe, expect, it } from "vitest";
import { type SdkWorld, UPSTREAMS, USAGE, WEATHER } from "../../lib/sdk-world.ts";

/** OpenAI's client in chat, with every upstream. */
export function openaiChat(place: SdkWorld): void {
  let client: OpenAI;
  beforeAll(() => {
    client = new OpenAI({ baseURL: `${place.url}/v1`, apiKey: place.key, maxRetries: 0, timeout: 30_000 });
  });

  const user = (content: string) => ({ role: "user" as const, content });
  const tools = [
    {
      type: "function" as const,
      function: { name: WEATHER.name, description: WEATHER.description, parameters: WEATHER.schema },
    },
  ];
  const Forecast = z.object({ city: z.string(), days: z.number() });

  describe.each(UPSTREAMS)("OpenAI client with %s (%s)", (_, model) => {
    it("completes a chat", async () => {
      place.upstream.always({}, { text: "It is sunny.", usage: USAGE });
      const response = await client.chat.completions.create({
        model,
        messages: [{ role: "system", content: "Be brief." }, user("Weather?")],
        max_completion_tokens: 100,
      });
      expect(response).toMatchObject({ object: "chat.completion", choices: [{ index: 0, finish_reason: "stop" }] });
      expect(response.choices[0]?.message).toMatchObject({ role: "assistant", content: "It is sunny." });
      expect(response.usage).toMatchObject({ prompt_tokens: 400, completion_tokens: 50, total_tokens: 450 });
    });

    it("streams with its helper, and with raw chunks", async () => {
      place.upstream.always({}, { text: "It is sunny in Zürich.", usage: USAGE });
      const stream = client.chat.completions.stream({
        model,
        messages: [user("Weather?")],
        stream_options: { include_usage: true },
      });
      const heard: string[] = [];
      stream.on("content", (delta) => heard.push(delta));
      const done = await stream.finalChatCompletion();
      expect(heard.join("")).toBe("It is sunny in Zürich.");
      expect(heard.length).toBeGreaterThan(1);
      expect(done.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "It is sunny in Zürich." } });
      expect(done.usage).toMatchObject({ prompt_tokens: 400, completion_tokens: 50 });
      const chunks = await client.chat.completions.create({ model, messages: [user("Weather?")], stream: true });
      for await (const chunk of chunks) {
        expect(chunk.object).toBe("chat.completion.chunk");
        expect(chunk.choices).toHaveLength(1);
      }
    });

    it("calls tools, several at once, streamed and not", async () => {
      const calls = [
        { name: "weather", arguments: WEATHER.input },
        { name: "weather", arguments: { city: "Genf" } },
      ];
      place.upstream.always({}, { text: "I will look.", toolCalls: calls, usage: USAGE });
      const request = { model, messages: [user("Weather?")], tools, tool_choice: "auto" as const };
      const whole = await client.chat.completions.create(request);
      const streamed = await client.chat.completions.stream(request).finalChatCompletion();
      for (const { choices } of [whole, streamed]) {
        expect(choices[0]?.finish_reason).toBe("tool_calls");
        const made = (choices[0]?.message.tool_calls ?? []) as { id: string; function: { arguments: string } }[];
        expect(made.map((call) => JSON.parse(call.function.arguments) as unknown)).toEqual(
          calls.map((call) => call.arguments),
        );
        expect(new Set(made.map(({ id }) => id)).size).toBe(2);
      }
    });

    it("runs tools to the end", async () => {
      place.upstream.next(
        {},
        { toolCalls: [{ name: "weather", arguments: WEATHER.input }] },
        { text: "Sun for 3 days." },
      );
      const requested: unknown[] = [];
      const runner = client.chat.completions.runTools({
        model,
        messages: [user("Weather?")],
        tools: [
          {
            type: "function",
            function: {
              name: WEATHER.name,
              description: WEATHER.description,
              parameters: WEATHER.schema,
              parse: (text: string) => Forecast.parse(JSON.parse(text)),
              function: (forecast: z.output<typeof Forecast>) => {
                requested.push(forecast);
                return "sun";
              },
            },
          },
        ],
      });
      expect(await runner.finalContent()).toBe("Sun for 3 days.");
      expect(requested).toEqual([WEATHER.input]);
      expect(place.upstream.calls.map(({ outcome }) => outcome)).toEqual(["served", "served"]);
    });

    it("parses structured output", async () => {
      place.upstream.always({}, { text: JSON.stringify(WEATHER.input), usage: USAGE });
      const response = await client.chat.completions.parse({
        model,
        messages: [user("Weather?")],
        response_format: zodResponseFormat(Forecast, "forecast"),
      });
      expect(response.choices[0]?.message.parsed).toEqual(WEATHER.input);
    });

    it("parses structured output of its stream helper, however upstream provides it", async () => {
      // Claude's older models respond with a forced tool call.
      const forced = { toolCalls: [{ name: "answer_in_json", arguments: WEATHER.input }] };
      place.upstream.always({}, model.startsWith("claude") ? forced : { text: JSON.stringify(WEATHER.input) });
      const stream = client.chat.completions.stream({
        model,
        messages: [user("Weather?")],
        response_format: zodResponseFormat(Forecast, "forecast"),
      });
      const { choices } = await stream.finalChatCompletion();
      expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { parsed: WEATHER.input } });
    });

    it("receives reasoning next to the response, streamed and not", async () => {
      if (model === "command-r-plus") return;
      place.upstream.always({}, { reasoning: "Let me see.", text: "Sunny.", usage: { ...USAGE, reasoningTokens: 5 } });
      const request = { model, messages: [user("Weather?")], reasoning_effort: "low" as const };
      const whole = await client.chat.completions.create(request);
      expect(whole.choices[0]?.message).toMatchObject({ content: "Sunny.", reasoning_content: "Let me see." });
      let reasoning = "";
      for await (const { choices } of await client.chat.completions.create({ ...request, stream: true })) {
        reasoning += (choices[0]?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? "";
      }
      expect(reasoning).toBe("Let me see.");
    });

    it("receives an error for a cut stream", async () => {
      place.upstream.always({}, { pieces: 20, cutAfterFrames: 9 });
      const stream = client.chat.completions.stream({ model, messages: [user("hi")] });
      await expect(stream.finalContent()).rejects.toBeInstanceOf(Error);
    });

    it("throws its own error classes", async () => {
      const request = () => client.chat.completions.create({ model, messages: [user("hi")] });
      const classes = [
        [400, OpenAI.BadRequestError],
        [429, OpenAI.RateLimitError],
        [500, OpenAI.InternalServerError],
      ] as const;
      for (const [status, kind] of classes) {
        place.upstream.reset();
        place.upstream.always({}, { refuse: { status, message: "no, thank you" } });
        const error = await request().then(
          () => undefined,
          (cause: unknown) => cause,
        );
        expect(error).toBeInstanceOf(kind);
        expect(error).toMatchObject({ error: { message: expect.stringContaining("no, thank you") as string } });
        expect((error as { requestID?: string }).requestID).toBeTruthy();
      }
    });

    it("cancels upstream when it aborts", async () => {
      place.upstream.always({}, { pieces: 200, frameGapMs: 20 });
      const stream = client.chat.completions.stream({ model, messages: [user("hi")] });
      stream.on("content", () => stream.abort());
      await expect(stream.done()).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
      await expect.poll(() => place.upstream.calls.map(({ outcome }) => outcome)).toEqual(["client-disconnected"]);
    });
  });

  describe("OpenAI client", () => {
    it("receives 401, 404 and 400 as its own error classes", async () => {
      const stranger = new OpenAI({ baseURL: `${place.url}/v1`, apiKey: "sk-nobody", maxRetries: 0 });
      const request = { model: "gpt-4o-mini", messages: [user("hi")] };
      await expect(stranger.chat.completions.create(request)).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
      await expect(client.chat.completions.create({ ...request, model: "nobody" })).rejects.toBeInstanceOf(
        OpenAI.NotFoundError,
      );
      const odd = { ...request, messages: [] };
      await expect(client.chat.completions.create(odd)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    });

    it("retries retryable errors", async () => {
      const patient = new OpenAI({ baseURL: `${place.url}/v1`, apiKey: place.key, maxRetries: 1 });
      const busy = { refuse: { status: 429, headers: { "retry-after": "1" } } };
      place.upstream.next({}, busy, busy, busy, busy);
      const call = patient.chat.completions.create({ model: "o3-mini", messages: [user("hi")] });
      const response = await call.catch((error: unknown) => error);
      expect(place.upstream.calls.length).toBeGreaterThan(1);
      expect(response).toSatisfy(
        (value: unknown) => value instanceof OpenAI.RateLimitError || typeof value === "object",
      );
    });

    it("sends and receives unknown fields unchanged", async () => {
      place.upstream.always(
        {},
        {
          raw: {
            headers: { "content-type": "application/json" },
            body: '{"id":"x","object":"chat.completion","created":1,"model":"gpt-4o-mini-2024","choices":[{"index":0,"message":{"role":"assistant","content":"hi","annotations":[{"new":1}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2},"novelty":{"deep":[1,2.50]}}',
          },
        },
      );
      const response = await client.chat.completions
        .create({ model: "gpt-4o-mini", messages: [user("hi")], brand_new: { field: [1] } } as never)
        .asResponse();
      expect(await response.text()).toContain('"novelty":{"deep":[1,2.50]}');
      expect(place.upstream.calls[0]?.body["brand_new"]).toEqual({ field: [1] });
    });

    it("lists models", async () => {
      const ids: string[] = [];
      for await (const { id } of client.models.list()) ids.push(id);
      expect(ids).toEqual(expect.arrayContaining(UPSTREAMS.map(([, model]) => model)));
      expect(await client.models.retrieve("gpt-4o-mini")).toMatchObject({ id: "gpt-4o-mini", object: "model" });
      await expect(client.models.retrieve("nobody")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    });
  });
}
