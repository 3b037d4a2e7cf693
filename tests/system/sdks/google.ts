import { ApiError, GoogleGenAI, type GenerateContentResponse } from "@google/genai";
import { beforeAll, describe, expect, it } from "vitest";
import { type SdkWorld, UPSTREAMS, USAGE, WEATHER } from "../../lib/sdk-world.ts";

/** Google's client with every upstream. */
export function googleSdk(place: SdkWorld): void {
  let models: GoogleGenAI["models"];
  beforeAll(() => {
    models = new GoogleGenAI({ apiKey: place.key, httpOptions: { baseUrl: place.url, timeout: 30_000 } }).models;
  });

  async function collect(stream: AsyncIterable<GenerateContentResponse>): Promise<GenerateContentResponse[]> {
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  }

  const tools = [
    {
      functionDeclarations: [
        { name: WEATHER.name, description: WEATHER.description, parametersJsonSchema: WEATHER.schema },
      ],
    },
  ];

  describe.each(UPSTREAMS)("Google client with %s (%s)", (_, model) => {
    it("generates and streams", async () => {
      place.upstream.always({}, { text: "It is sunny in Zürich.", usage: USAGE });
      const config = { systemInstruction: "Be brief.", maxOutputTokens: 100 };
      const whole = await models.generateContent({ model, contents: "Weather?", config });
      expect(whole.text).toBe("It is sunny in Zürich.");
      expect(whole.usageMetadata).toMatchObject({ promptTokenCount: 400, candidatesTokenCount: 50 });
      const chunks = await collect(await models.generateContentStream({ model, contents: "Weather?", config }));
      expect(chunks.map((chunk) => chunk.text ?? "").join("")).toBe("It is sunny in Zürich.");
      expect(chunks.length).toBeGreaterThan(1);
      expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe("STOP");
      expect(chunks.at(-1)?.usageMetadata).toMatchObject({ promptTokenCount: 400, candidatesTokenCount: 50 });
    });

    it("calls functions and returns their results in a chat", async () => {
      place.upstream.next({}, { toolCalls: [{ name: "weather", arguments: WEATHER.input }] }, { text: "Sun." });
      const whole = await models.generateContent({ model, contents: "Weather?", config: { tools } });
      const [call] = whole.functionCalls ?? [];
      expect(call).toMatchObject({ name: "weather", args: WEATHER.input });
      const reported = whole.candidates?.[0]?.content;
      const result = {
        functionResponse: { ...(call?.id ? { id: call.id } : {}), name: "weather", response: { output: "sun" } },
      };
      const contents = [
        { role: "user", parts: [{ text: "Weather?" }] },
        reported ?? {},
        { role: "user", parts: [result] },
      ];
      expect((await models.generateContent({ model, contents, config: { tools } })).text).toBe("Sun.");
    });

    it("requests structured output", async () => {
      place.upstream.always({}, { text: JSON.stringify(WEATHER.input), usage: USAGE });
      const config = { responseMimeType: "application/json", responseJsonSchema: WEATHER.schema };
      const response = await models.generateContent({ model, contents: "Weather?", config });
      expect(JSON.parse(response.text ?? "")).toEqual(WEATHER.input);
    });

    it("receives reasoning as separate parts, streamed and not", async () => {
      if (model === "command-r-plus") return;
      place.upstream.always({}, { reasoning: "Let me see.", text: "Sunny.", usage: { ...USAGE, reasoningTokens: 5 } });
      const thinking = { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } };
      // Thinking is not requested from a model without it.
      const requested = {
        model,
        contents: "Weather?",
        ...(model.startsWith("claude-3-5") ? {} : { config: thinking }),
      };
      const whole = await models.generateContent(requested);
      const chunks = await collect(await models.generateContentStream(requested));
      for (const parts of [whole, ...chunks].map(({ candidates }) => candidates?.[0]?.content?.parts ?? [])) {
        expect(parts.every((part) => part.text !== undefined)).toBe(true);
      }
      const reasoning = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
      const reasoningItem = reasoning.filter((part) => part.thought).map((part) => part.text);
      expect(reasoningItem.join("")).toBe("Let me see.");
      expect(whole.text).toBe("Sunny.");
    });

    it("receives an error for a cut stream, and cancels upstream when it aborts", async () => {
      place.upstream.next({}, { pieces: 20, cutAfterFrames: 9 }, { pieces: 200, frameGapMs: 20 });
      await expect(
        models.generateContentStream({ model, contents: "hi" }).then((stream) => collect(stream)),
      ).rejects.toBeInstanceOf(Error);
      const abort = new AbortController();
      const config = { abortSignal: abort.signal };
      const stream = await models.generateContentStream({ model, contents: "hi", config });
      await expect(
        (async () => {
          for await (const _ of stream) abort.abort();
        })(),
      ).rejects.toBeInstanceOf(Error);
      await expect.poll(() => place.upstream.calls.at(-1)?.outcome).toBe("client-disconnected");
    });

    it("receives errors in its own format", async () => {
      const words = [
        [400, "INVALID_ARGUMENT"],
        [429, "RESOURCE_EXHAUSTED"],
      ] as const;
      for (const [status, word] of words) {
        place.upstream.reset();
        place.upstream.always({}, { refuse: { status, message: "no, thank you" } });
        const error = await models.generateContent({ model, contents: "x" }).then(
          () => undefined,
          (cause: unknown) => cause,
        );
        expect(error).toBeInstanceOf(ApiError);
        expect(error).toMatchObject({ status, message: expect.stringContaining(word) as string });
      }
    });

    it("counts tokens at no cost", async () => {
      const { totalTokens } = await models.countTokens({ model, contents: "hello world" });
      expect(totalTokens).toBeGreaterThan(1);
      expect(place.upstream.calls).toEqual([]);
    });
  });

  describe("Google's client", () => {
    it("creates embeddings with Google's and with OpenAI's models", async () => {
      for (const model of ["gemini-embedding-001", "text-embedding-3-small"]) {
        const { embeddings } = await models.embedContent({ model, contents: "hello" });
        expect(embeddings?.[0]?.values?.length).toBeGreaterThan(1);
      }
    });

    it("sends and receives unknown fields unchanged", async () => {
      const body =
        '{"candidates":[{"content":{"parts":[{"text":"hi"}],"role":"model"},"finishReason":"STOP","novelty":1.50}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1,"totalTokenCount":4},"modelVersion":"x"}';
      place.upstream.always({}, { raw: { headers: { "content-type": "application/json" }, body } });
      const response = await fetch(`${place.url}/v1beta/models/gemini-2.0-flash:generateContent`, {
        method: "POST",
        headers: { "x-goog-api-key": place.key, "content-type": "application/json" },
        body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "hi" }] }], labels: { team: "a" } }),
      });
      expect(await response.text()).toBe(body);
      expect(place.upstream.calls[0]?.body["labels"]).toEqual({ team: "a" });
    });
  });
}
