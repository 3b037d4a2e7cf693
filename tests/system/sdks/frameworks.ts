import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { tool as langchainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { generateObject, generateText, type LanguageModel, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { describe, expect, it } from "vitest";
import { type SdkWorld, UPSTREAMS, USAGE, WEATHER } from "../../lib/sdk-world.ts";

/** The frameworks, each in every dialect it supports. */
export function frameworks(place: SdkWorld): void {
  const Forecast = z.object({ city: z.string(), days: z.number() });

  /** The dialects of the Vercel AI SDK. */
  const PROVIDERS: Readonly<Record<string, (model: string) => LanguageModel>> = {
    "OpenAI chat": (model) => createOpenAI({ baseURL: `${place.url}/v1`, apiKey: place.key }).chat(model),
    "OpenAI responses": (model) => createOpenAI({ baseURL: `${place.url}/v1`, apiKey: place.key }).responses(model),
    Anthropic: (model) => createAnthropic({ baseURL: `${place.url}/v1`, apiKey: place.key })(model),
    Google: (model) => createGoogleGenerativeAI({ baseURL: `${place.url}/v1beta`, apiKey: place.key })(model),
  };
  const COMBINATIONS = Object.entries(PROVIDERS).flatMap(([provider, make]) =>
    UPSTREAMS.map(([name, model]) => [provider, name, model, make] as const),
  );

  describe.each(COMBINATIONS)("Vercel AI SDK (%s) with %s (%s)", (_, _name, model, make) => {
    it("generates and streams text", async () => {
      place.upstream.always({}, { text: "It is sunny in Zürich.", usage: USAGE });
      const whole = await generateText({ model: make(model), prompt: "Weather?", maxRetries: 0 });
      expect(whole.text).toBe("It is sunny in Zürich.");
      expect(whole.finishReason).toBe("stop");
      expect(whole.usage).toMatchObject({ inputTokens: 400, outputTokens: 50 });
      const stream = streamText({ model: make(model), prompt: "Weather?", maxRetries: 0 });
      let text = "";
      for await (const piece of stream.textStream) text += piece;
      expect(text).toBe("It is sunny in Zürich.");
      expect(await stream.finishReason).toBe("stop");
      expect(await stream.usage).toMatchObject({ inputTokens: 400, outputTokens: 50 });
    });

    it("runs tools", async () => {
      place.upstream.next({}, { toolCalls: [{ name: "weather", arguments: WEATHER.input }] }, { text: "Sun." });
      const requested: unknown[] = [];
      const weather = tool({
        description: WEATHER.description,
        inputSchema: Forecast,
        execute: (input) => {
          requested.push(input);
          return "sun";
        },
      });
      const { text } = await generateText({
        model: make(model),
        prompt: "Weather?",
        tools: { weather },
        stopWhen: stepCountIs(3),
        maxRetries: 0,
      });
      expect(text).toBe("Sun.");
      expect(requested).toEqual([WEATHER.input]);
    });

    it("generates objects", async () => {
      place.upstream.always({}, { text: JSON.stringify(WEATHER.input), usage: USAGE });
      const { object } = await generateObject({
        model: make(model),
        schema: Forecast,
        prompt: "Weather?",
        maxRetries: 0,
      });
      expect(object).toEqual(WEATHER.input);
    });
  });

  const CHAINS: Readonly<Record<string, (model: string) => BaseChatModel>> = {
    OpenAI: (model) =>
      new ChatOpenAI({ model, apiKey: place.key, maxRetries: 0, configuration: { baseURL: `${place.url}/v1` } }),
    Anthropic: (model) =>
      new ChatAnthropic({ model, apiKey: place.key, maxRetries: 0, maxTokens: 500, anthropicApiUrl: place.url }),
  };
  const CHAINED = Object.entries(CHAINS).flatMap(([provider, make]) =>
    UPSTREAMS.map(([name, model]) => [provider, name, model, make] as const),
  );

  describe.each(CHAINED)("LangChain (%s) with %s (%s)", (provider, _name, model, make) => {
    it("invokes and streams", async () => {
      place.upstream.always({}, { text: "It is sunny in Zürich.", usage: USAGE });
      const whole = await make(model).invoke("Weather?");
      expect(whole.text).toBe("It is sunny in Zürich.");
      expect(whole.usage_metadata).toMatchObject({ output_tokens: 50 });
      let text = "";
      for await (const chunk of await make(model).stream("Weather?")) text += chunk.text;
      expect(text).toBe("It is sunny in Zürich.");
    });

    it("binds tools", async () => {
      place.upstream.always({}, { toolCalls: [{ name: "weather", arguments: WEATHER.input }], usage: USAGE });
      const weather = langchainTool(() => "sun", { name: "weather", description: "tells", schema: Forecast });
      const response = await make(model).bindTools?.([weather]).invoke("Weather?");
      expect(response?.tool_calls).toMatchObject([{ name: "weather", args: WEATHER.input }]);
    });

    it("returns structured output", async () => {
      const scenario = { toolCalls: [{ name: "extract", arguments: WEATHER.input }], usage: USAGE };
      const asText = { text: JSON.stringify(WEATHER.input), usage: USAGE };
      place.upstream.always({}, provider === "OpenAI" ? asText : scenario);
      const method = provider === "OpenAI" ? "jsonSchema" : "functionCalling";
      const structured = make(model).withStructuredOutput(Forecast, { name: "extract", method });
      expect(await structured.invoke("Weather?")).toEqual(WEATHER.input);
    });
  });
}
