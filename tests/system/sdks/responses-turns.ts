import { createOpenAI } from "@ai-sdk/openai";
import { generateText, type ModelMessage, stepCountIs, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openaiClient } from "../../lib/clients.ts";
import { type SdkWorld, UPSTREAMS, WEATHER } from "../../lib/sdk-world.ts";

/** Conversations of several turns with `/v1/responses`. */
export function responsesTurns(place: SdkWorld): void {
  /** Its default responses model: it refers to earlier responses instead of sending them again. */
  const speaking = (model: string, key = place.key) =>
    createOpenAI({ baseURL: `${place.url}/v1`, apiKey: key }).responses(model);
  const lastRequested = (): string => JSON.stringify(place.upstream.calls.at(-1)?.body);

  describe.each(UPSTREAMS.slice(1))("conversation of the Vercel AI SDK's responses with %s (%s)", (_, model) => {
    it("continues over several turns, streamed and not, without sending its responses again", async () => {
      const messages: ModelMessage[] = [{ role: "user", content: "Where are you?" }];
      place.upstream.next({}, { text: "In Zürich." }, { text: "It rains here." }, { text: "Since noon." });
      const first = await generateText({ model: speaking(model), messages, maxRetries: 0 });
      messages.push(...first.response.messages, { role: "user", content: "What is the weather?" });
      const second = streamText({ model: speaking(model), messages, maxRetries: 0 });
      expect(await second.text).toBe("It rains here.");
      expect(lastRequested()).toContain("In Zürich.");
      messages.push(...(await second.response).messages, { role: "user", content: "Since when?" });
      const third = await generateText({ model: speaking(model), messages, maxRetries: 0 });
      expect(third.text).toBe("Since noon.");
      expect(lastRequested()).toMatch(/Where are you.*In Zürich.*What is the weather.*It rains here.*Since when/);
    });

    it("runs tools and continues after them", async () => {
      const call = { text: "Let me look.", toolCalls: [{ name: "weather", arguments: WEATHER.input }] };
      place.upstream.next({}, call, { text: "It is sunny." }, { text: "You are welcome." });
      const Forecast = z.object({ city: z.string(), days: z.number() });
      const weather = tool({ description: "tells", inputSchema: Forecast, execute: () => "sun" });
      const given = { model: speaking(model), tools: { weather }, stopWhen: stepCountIs(3), maxRetries: 0 };
      const messages: ModelMessage[] = [{ role: "user", content: "Weather?" }];
      const first = await generateText({ ...given, messages });
      expect(first.text).toBe("It is sunny.");
      expect(lastRequested()).toMatch(/Weather.*Let me look.*sun/);
      messages.push(...first.response.messages, { role: "user", content: "Thank you." });
      expect((await generateText({ ...given, messages })).text).toBe("You are welcome.");
      expect(lastRequested()).toMatch(/It is sunny.*Thank you/);
    });
  });

  describe("stored response", () => {
    const model = UPSTREAMS[1][1];
    const requestAbout = (id: string, key = place.key) =>
      openaiClient(place.url, key).responses.create({
        model,
        input: [
          { type: "item_reference", id },
          { role: "user", content: "And?" },
        ],
      });

    it("is unknown to other users, and refused by name", async () => {
      const { output } = await openaiClient(place.url, place.key).responses.create({ model, input: "Hello" });
      const id = output[0]?.id ?? "";
      await expect(requestAbout(id)).resolves.toMatchObject({ status: "completed" });
      const stranger = await place.testSite.createUser(1_000_000);
      const { key } = await place.testSite.token({}, stranger.client);
      await expect(requestAbout(id, key)).rejects.toMatchObject({ status: 400, message: /cannot be looked up/ });
    });

    it("is not kept if the caller opted out of storing", async () => {
      const { output } = await openaiClient(place.url, place.key).responses.create({
        model,
        input: "Hi",
        store: false,
      });
      await expect(requestAbout(output[0]?.id ?? "")).rejects.toMatchObject({
        status: 400,
        message: /cannot be looked up/,
      });
    });
  });
}
