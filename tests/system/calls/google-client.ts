import { ApiError, FunctionCallingConfigMode, GoogleGenAI, type GenerateContentResponse, Type } from "@google/genai";
import { describe, expect, it } from "vitest";
import { CHANNELS } from "../../lib/test-site.ts";
import type { TestSiteWorld } from "../../lib/test-site-world.ts";

/** Google's client on each kind of channel. */
export function googleClientCalls(at: TestSiteWorld): void {
  const usage = { inputTokens: 400, cachedTokens: 100, outputTokens: 50, reasoningTokens: 0 };
  const tool = { name: "weather", arguments: { city: "Zürich", days: 3 } };
  const models = CHANNELS.map(({ name, models: list }) => [name, list.split(",")[0] ?? ""] as const);

  const googleClient = (apiKey: string): GoogleGenAI =>
    new GoogleGenAI({ apiKey, httpOptions: { baseUrl: at.world.relayUrl, timeout: 30_000 } });

  async function collect(stream: AsyncIterable<GenerateContentResponse>) {
    const chunks: GenerateContentResponse[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return { text: chunks.map((chunk) => chunk.text ?? "").join(""), last: chunks.at(-1), chunks };
  }

  describe.each(models)("Google client on a channel of the kind %s (%s)", (_, model) => {
    it("generates, streaming and not, and each call is charged", async () => {
      const user = await at.testSite.createUser(1_000_000);
      const { key } = await at.testSite.token({}, user.client);
      at.upstream.always({}, { text: "It is sunny in Zürich.", usage });
      const { models: google } = googleClient(key);
      const whole = await google.generateContent({
        model,
        contents: "How is the weather?",
        config: { systemInstruction: "Be brief.", maxOutputTokens: 100 },
      });
      expect(whole.text).toBe("It is sunny in Zürich.");
      expect(whole.usageMetadata).toMatchObject({
        promptTokenCount: 400,
        candidatesTokenCount: 50,
        totalTokenCount: 450,
      });
      const { text, last } = await collect(await google.generateContentStream({ model, contents: "And now?" }));
      expect(text).toBe("It is sunny in Zürich.");
      expect(last?.candidates?.[0]?.finishReason).toBe("STOP");
      expect(last?.usageMetadata).toMatchObject({ promptTokenCount: 400, candidatesTokenCount: 50 });
      const rows = await at.testSite.eventually("both log rows", 3_000, async () => {
        const { items } = await user.client.get<{ items: { quota: number; prompt_tokens: number }[] }>(
          "/api/log/self",
          {
            p: 1,
            type: 2,
          },
        );
        return items.length === 2 ? items : undefined;
      });
      expect(rows).toMatchObject([{ prompt_tokens: 400 }, { prompt_tokens: 400 }]);
      expect(new Set(rows.map(({ quota }) => quota)).size).toBe(1);
    });

    it("calls functions and returns their results", async () => {
      const { key } = await at.testSite.token();
      at.upstream.always({}, { toolCalls: [tool, { ...tool, arguments: { city: "Genf" } }], usage });
      const { models: google } = googleClient(key);
      const parameters = {
        type: Type.OBJECT,
        properties: { city: { type: Type.STRING }, days: { type: Type.INTEGER } },
        required: ["city"],
      };
      const config = {
        tools: [{ functionDeclarations: [{ name: "weather", description: "tells", parameters }] }],
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
      };
      const requested = { role: "user", parts: [{ text: "Weather?" }] };
      const whole = await google.generateContent({ model, contents: [requested], config });
      const expected = [tool.arguments, { city: "Genf" }];
      expect(whole.functionCalls?.map(({ args }) => args)).toEqual(expected);
      const { chunks } = await collect(await google.generateContentStream({ model, contents: [requested], config }));
      expect(chunks.flatMap(({ functionCalls }) => functionCalls ?? []).map(({ args }) => args)).toEqual(expected);

      at.upstream.always({}, { text: "Sun.", usage });
      const results = (whole.functionCalls ?? []).map(({ id, name }) => ({
        functionResponse: { ...(id === undefined ? {} : { id }), name: name ?? "", response: { result: "sun" } },
      }));
      const reported = whole.candidates?.[0]?.content;
      if (!reported) throw new Error("the response has no content");
      const contents = [requested, reported, { role: "user", parts: results }];
      expect((await google.generateContent({ model, contents, config })).text).toBe("Sun.");
    });
  });

  describe("Google's client", () => {
    it("receives errors in Google's format", async () => {
      const { key } = await at.testSite.token();
      const failure = async (client: GoogleGenAI, model: string): Promise<ApiError> =>
        client.models.generateContent({ model, contents: "x" }).then(
          () => Promise.reject(new Error("the call was served")),
          (error: unknown) => error as ApiError,
        );
      const [, model] = models[0] ?? ["", ""];
      expect(await failure(googleClient("sk-nobody"), model)).toMatchObject({ status: 401 });
      const unknown = await failure(googleClient(key), "no-such-model");
      expect(unknown).toBeInstanceOf(ApiError);
      expect(unknown.status).toBe(404);
      expect(unknown.message).toContain("NOT_FOUND");
    });
  });
}
