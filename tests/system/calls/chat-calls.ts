import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { getShippedRules } from "@turnpike/shared/catalogue/built-in-catalogue";
import { describe, expect, it } from "vitest";
import { findModelPrice } from "@turnpike/contract/pricing/price-tables";
import { computeQuota, NO_USAGE } from "@turnpike/contract/pricing/quota";
import { optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { anthropicClient, openaiClient } from "../../lib/clients.ts";
import { CHANNELS } from "../../lib/test-site.ts";
import type { TestSiteWorld } from "../../lib/test-site-world.ts";

const catalogue = { key: CATALOGUE_ROW, value: JSON.stringify({ rules: getShippedRules() }) };
const builtInTables = toPriceTables(optionsInForce([catalogue]));

/** The core scenario: each official client on each kind of channel, charged exactly. */
export function mainJob(at: TestSiteWorld): void {
  const tool = { name: "weather", arguments: { city: "Zürich", days: 3 } };
  const usage = { inputTokens: 400, cachedTokens: 100, outputTokens: 50, reasoningTokens: 0 };
  const weatherSchema = {
    type: "object" as const,
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  };
  const models = CHANNELS.map(({ name, models: list }) => [name, list.split(",")[0] ?? ""] as const);

  /** Cost of a call by the formula, group ratio 1. */
  function expectedQuota(model: string, over: { cached?: number; written?: number } = {}): number {
    const price = findModelPrice(builtInTables, model, model, false);
    if (!price) throw new Error(`no price for ${model}`);
    return computeQuota(price, 1, 500_000, {
      ...NO_USAGE,
      promptTokens: usage.inputTokens,
      completionTokens: usage.outputTokens,
      cacheReadTokens: over.cached ?? usage.cachedTokens,
      cacheWriteTokens: over.written ?? 0,
    });
  }

  describe.each(models)("channel of the kind %s (%s)", (name, model) => {
    it("serves chat to the OpenAI client, streaming and not, charged exactly by the formula", async () => {
      const balance = 1_000_000;
      const user = await at.testSite.createUser(balance);
      const { key, id } = await at.testSite.token({ remain_quota: balance }, user.client);
      const client = openaiClient(at.world.relayUrl, key);
      at.upstream.always({}, { text: "It is sunny in Zürich.", usage });
      const whole = await client.chat.completions
        .create({ model, messages: [{ role: "user", content: "How is the weather?" }] })
        .withResponse();
      expect(whole.data.choices[0]).toMatchObject({
        message: { content: "It is sunny in Zürich." },
        finish_reason: "stop",
      });
      expect(whole.data.usage).toMatchObject({
        prompt_tokens: 400,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 100 },
      });
      const stream = await client.chat.completions
        .create({
          model,
          stream: true,
          stream_options: { include_usage: true },
          messages: [{ role: "user", content: "And now?" }],
        })
        .withResponse();
      let text = "";
      let reported: number | undefined;
      for await (const chunk of stream.data) {
        text += chunk.choices[0]?.delta.content ?? "";
        reported = chunk.usage?.prompt_tokens ?? reported;
      }
      expect({ text, reported }).toEqual({ text: "It is sunny in Zürich.", reported: 400 });

      const quota = expectedQuota(model);
      for (const response of [whole.response, stream.response]) {
        const row = await at.testSite.readLogRow(response.headers.get("x-request-id") ?? "");
        expect(row).toMatchObject({
          type: 2,
          model_name: model,
          quota,
          prompt_tokens: 400,
          completion_tokens: 50,
          channel: at.testSite.channelIds[name],
        });
      }
      const money = { used_quota: 2 * quota };
      expect(await user.client.get("/api/user/self")).toMatchObject({ ...money, quota: balance - 2 * quota });
      expect(await user.client.get(`/api/token/${id}`)).toMatchObject({
        ...money,
        remain_quota: balance - 2 * quota,
      });
    });

    it("serves chat to the Anthropic client, streaming and not, charged exactly by the formula", async () => {
      const { key } = await at.testSite.token();
      const client = anthropicClient(at.world.relayUrl, key);
      at.upstream.always({}, { text: "It is sunny in Zürich.", usage });
      const request = { model, max_tokens: 200, messages: [{ role: "user" as const, content: "How is the weather?" }] };
      const whole = await client.messages.create(request).withResponse();
      expect(whole.data).toMatchObject({
        content: [{ type: "text", text: "It is sunny in Zürich." }],
        stop_reason: "end_turn",
      });
      const streaming = client.messages.stream(request);
      const final = await streaming.finalMessage();
      expect(final.content).toMatchObject([{ type: "text", text: "It is sunny in Zürich." }]);
      expect(final.usage.output_tokens).toBe(50);
      const row = await at.testSite.readLogRow(whole.response.headers.get("x-request-id") ?? "");
      expect(row).toMatchObject({ quota: expectedQuota(model), prompt_tokens: 300, completion_tokens: 50 });
      expect(JSON.parse(row.other)).toMatchObject({ claude: true, cache_tokens: 100 });
      const streamRow = await at.testSite.readLogRow(streaming.response?.headers.get("x-request-id") ?? "");
      expect(streamRow).toMatchObject({ quota: expectedQuota(model), is_stream: true });
    });

    it("passes tool calls and results in both dialects", async () => {
      const { key } = await at.testSite.token();
      at.upstream.always({}, { toolCalls: [tool, { ...tool, arguments: { city: "Genf" } }], usage });
      const openai = openaiClient(at.world.relayUrl, key);
      const requested = {
        model,
        messages: [{ role: "user" as const, content: "Weather?" }],
        tools: [
          { type: "function" as const, function: { name: "weather", description: "tells", parameters: weatherSchema } },
        ],
      };
      const whole = await openai.chat.completions.create(requested);
      const calls = whole.choices[0]?.message.tool_calls ?? [];
      expect(calls.map((call) => call.type === "function" && JSON.parse(call.function.arguments))).toEqual([
        tool.arguments,
        { city: "Genf" },
      ]);
      expect(whole.choices[0]?.finish_reason).toBe("tool_calls");
      const streamed = await openai.chat.completions.stream(requested).finalChatCompletion();
      expect(
        streamed.choices[0]?.message.tool_calls?.map(
          (call) => call.type === "function" && JSON.parse(call.function.arguments),
        ),
      ).toEqual([tool.arguments, { city: "Genf" }]);

      const anthropic = anthropicClient(at.world.relayUrl, key);
      const message = await anthropic.messages
        .stream({
          model,
          max_tokens: 200,
          messages: [{ role: "user", content: "Weather?" }],
          tools: [{ name: "weather", description: "tells", input_schema: weatherSchema }],
        })
        .finalMessage();
      expect(message.stop_reason).toBe("tool_use");
      expect(message.content.filter(({ type }) => type === "tool_use")).toMatchObject([
        { input: tool.arguments },
        { input: { city: "Genf" } },
      ]);

      at.upstream.always({}, { text: "Take an umbrella.", usage });
      const served = await openai.chat.completions.create({
        ...requested,
        messages: [
          { role: "user", content: "Weather?" },
          { role: "assistant", content: null, tool_calls: calls },
          ...calls.map((call) => ({ role: "tool" as const, tool_call_id: call.id, content: "rain" })),
        ],
      });
      expect(served.choices[0]?.message.content).toBe("Take an umbrella.");
      const results = message.content
        .filter((block) => block.type === "tool_use")
        .map((block) => ({ type: "tool_result" as const, tool_use_id: block.id, content: "rain" }));
      const replied = await anthropic.messages.create({
        model,
        max_tokens: 200,
        messages: [
          { role: "user", content: "Weather?" },
          { role: "assistant", content: message.content },
          { role: "user", content: results },
        ],
        tools: [{ name: "weather", description: "tells", input_schema: weatherSchema }],
      });
      expect(replied.content).toMatchObject([{ type: "text", text: "Take an umbrella." }]);
    });

    it("passes images, and reassembles streams split at any byte", async () => {
      const { key } = await at.testSite.token();
      const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
      at.upstream.always({}, { text: "Ein Pixel: 東京 ✓", chunkBytes: [1, 3, 2], usage });
      const streamed = await openaiClient(at.world.relayUrl, key)
        .chat.completions.stream({
          model,
          messages: [
            {
              role: "user",
              content: [
                { type: "text", text: "What is this?" },
                { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } },
              ],
            },
          ],
        })
        .finalContent();
      expect(streamed).toBe("Ein Pixel: 東京 ✓");
      expect(JSON.stringify(at.upstream.calls.at(-1)?.body)).toContain(pixel);
      const message = await anthropicClient(at.world.relayUrl, key)
        .messages.stream({
          model,
          max_tokens: 50,
          messages: [
            {
              role: "user",
              content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: pixel } }],
            },
          ],
        })
        .finalMessage();
      expect(message.content).toMatchObject([{ type: "text", text: "Ein Pixel: 東京 ✓" }]);
    });

    it("passes the console's channel test", async () => {
      const response = await at.testSite.root.call<unknown>("GET", `/api/channel/test/${at.testSite.channelIds[name]}`);
      expect(JSON.parse(response.text)).toMatchObject({ success: true, time: expect.any(Number) });
    });
  });

  describe("warm call", () => {
    it("makes no gRPC call", async () => {
      const { key } = await at.testSite.token();
      const client = openaiClient(at.world.relayUrl, key);
      const request = () =>
        client.chat.completions.create({ model: "gpt-4o", messages: [{ role: "user", content: "hi" }] });
      const grpcCalls = async (): Promise<number> =>
        [...(await at.world.metrics("relay")).matchAll(/^turnpike_grpc_client_calls_total\{.*\} (\d+)$/gm)].reduce(
          (sum, [, count]) => sum + Number(count),
          0,
        );
      await request();
      const before = await grpcCalls();
      for (let call = 0; call < 20; call++) await request();
      // A snapshot may be due in between; one rpc per call would be 20.
      expect((await grpcCalls()) - before).toBeLessThan(5);
    });
  });

  describe("changes take effect within a second", () => {
    const request = (key: string) =>
      fetch(`${at.world.relayUrl}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "hi" }] }),
      });
    const SECOND_MS = 1_000;
    const withinSecond = (read: () => Promise<boolean>) =>
      expect.poll(read, { timeout: SECOND_MS, interval: 50 }).toBe(true);
    /** A call that begins a second from now, or later; its id. */
    const requestAfterSecond = async (key: string): Promise<string> => {
      const endMs = performance.now() + SECOND_MS;
      for (;;) {
        const startMs = performance.now();
        // oxlint-disable-next-line no-await-in-loop -- one call after the other
        const response = await request(key);
        // oxlint-disable-next-line no-await-in-loop
        await response.text();
        if (startMs >= endMs) return response.headers.get("x-request-id") ?? "";
      }
    };

    it("applies when a token is disabled, enabled or deleted", async () => {
      const { key, id } = await at.testSite.token();
      expect((await request(key)).status).toBe(200);
      await at.testSite.root.put("/api/token/?status_only=true", { id, status: 2 });
      await withinSecond(async () => (await request(key)).status === 401);
      await at.testSite.root.put("/api/token/?status_only=true", { id, status: 1 });
      await withinSecond(async () => (await request(key)).status === 200);
      await at.testSite.root.delete(`/api/token/${id}/`);
      await withinSecond(async () => (await request(key)).status === 401);
    });

    it("applies when a channel is disabled or enabled", async () => {
      const { key } = await at.testSite.token();
      await at.testSite.root.put("/api/channel/", { id: at.testSite.channelIds["openai"], status: 2 });
      await withinSecond(async () => (await request(key)).status >= 400);
      await at.testSite.root.put("/api/channel/", { id: at.testSite.channelIds["openai"], status: 1 });
      await withinSecond(async () => (await request(key)).status === 200);
    });

    it("applies to a price", async () => {
      const { key } = await at.testSite.token();
      const setPrice = (value: string) => at.testSite.root.put("/api/option/", { key: "ModelPrice", value });
      const options = await at.testSite.root.get<{ key: string; value: string }[]>("/api/option/");
      const old = options.find((option) => option.key === "ModelPrice")?.value ?? "{}";
      await setPrice(JSON.stringify({ ...JSON.parse(old), "gpt-4o": 0.01 }));
      // The row of a call may be posted later; its price is the one at the call.
      const { quota } = await at.testSite.readLogRow(await requestAfterSecond(key));
      expect(quota).toBe(5_000);
      await setPrice(old);
    });
  });
}
