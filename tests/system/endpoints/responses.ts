import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { type EndpointSite, USAGE } from "./endpoint-site.ts";

/** The Responses API, native and through chat. */
export function responses(at: EndpointSite): void {
  describe("responses", () => {
    const models = ["gpt-4.1", "claude-3-5-sonnet-20241022", "gemini-2.0-flash"];

    it.each(models)("serves and streams responses on %s", async (model) => {
      const { client } = await at.createCaller();
      at.upstream.always({}, { text: "It is sunny.", usage: USAGE });
      const whole = await client.responses
        .create({ model, instructions: "Be brief.", input: "Weather?" })
        .withResponse();
      expect(whole.data.output_text).toBe("It is sunny.");
      expect(whole.data.usage).toMatchObject({ input_tokens: 1000, output_tokens: 200, total_tokens: 1200 });
      const events = await client.responses.create({ model, input: "Weather?", stream: true }).withResponse();
      const seen: OpenAI.Responses.ResponseStreamEvent[] = [];
      for await (const event of events.data) seen.push(event);
      expect(seen[0]?.type).toBe("response.created");
      expect(seen.flatMap((event) => (event.type === "response.output_text.delta" ? [event.delta] : [])).join("")).toBe(
        "It is sunny.",
      );
      expect(seen.at(-1)).toMatchObject({ type: "response.completed", response: { usage: { output_tokens: 200 } } });
      const rows = await Promise.all([at.readRow(whole.request_id), at.readRow(events.request_id)]);
      expect(rows.map((row) => row.completion_tokens)).toEqual([200, 200]);
    });

    it("calls tools through chat, and accepts their results", async () => {
      const { client } = await at.createCaller();
      const model = "claude-3-5-sonnet-20241022";
      const call = { name: "weather", arguments: { city: "Zürich" } };
      at.upstream.next({}, { toolCalls: [call, { ...call, arguments: { city: "Genf" } }], usage: USAGE });
      const tools: OpenAI.Responses.FunctionTool[] = [
        { type: "function", name: "weather", parameters: { type: "object", properties: {} }, strict: false },
      ];
      const first = await client.responses.create({ model, input: "Weather?", tools });
      const calls = first.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
      expect(calls.map((item) => JSON.parse(item.arguments) as unknown)).toEqual([
        { city: "Zürich" },
        { city: "Genf" },
      ]);
      at.upstream.next({}, { text: "Sun.", usage: USAGE });
      const results = calls.map(({ call_id }) => ({ type: "function_call_output" as const, call_id, output: "sun" }));
      const second = await client.responses.create({
        model,
        tools,
        input: [{ role: "user", content: "Weather?" }, ...calls, ...results],
      });
      expect(second.output_text).toBe("Sun.");
    });

    it("continues a previous response only if the provider stores state", async () => {
      const { client } = await at.createCaller();
      const { id } = await client.responses.create({ model: "gpt-4.1", input: "Hi" });
      const requested = { input: "And now?", previous_response_id: id };
      await client.responses.create({ model: "gpt-4.1", ...requested });
      expect(at.upstream.calls.at(-1)?.body["previous_response_id"]).toMatch(/^resp_fake\d+$/);
      const refused = client.responses.create({ model: "claude-3-5-sonnet-20241022", ...requested });
      await expect(refused).rejects.toMatchObject({ status: 404, param: "previous_response_id" });
    });
  });
}
