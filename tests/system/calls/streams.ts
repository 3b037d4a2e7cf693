import { beforeAll, describe, expect, it } from "vitest";
import { openaiClient } from "../../lib/clients.ts";
import { CHANNELS } from "../../lib/test-site.ts";
import type { TestSiteWorld } from "../../lib/test-site-world.ts";

/** Streams reach their caller as upstream sends them. */
export function streams(at: TestSiteWorld): void {
  let key: string;

  beforeAll(async () => {
    ({ key } = await at.testSite.token());
  });

  const messages = [{ role: "user" as const, content: "Tell me something long." }];
  const models = CHANNELS.map(({ models: list }) => list.split(",")[0] ?? "");

  describe.each(models)("stream of %s", (model) => {
    it("reaches its caller frame by frame, through the relay and through the gateway", async () => {
      for (const baseUrl of [at.world.relayUrl, at.world.consoleUrl]) {
        at.upstream.next({}, { pieces: 4, frameGapMs: 150 });
        const stream = await openaiClient(baseUrl, key).chat.completions.create({ model, messages, stream: true });
        const arrivals: number[] = [];
        for await (const chunk of stream) if (chunk.choices[0]?.delta.content) arrivals.push(performance.now());
        expect(arrivals.length).toBeGreaterThanOrEqual(4);
        const span = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
        // With buffering, all four would arrive at once.
        expect(span).toBeGreaterThan(250);
      }
    });

    it("is cancelled upstream when its caller disconnects, and charged for what was produced", async () => {
      at.upstream.next({}, { pieces: 200, frameGapMs: 30 });
      const { data: stream, response } = await openaiClient(at.world.relayUrl, key)
        .chat.completions.create({ model, messages, stream: true })
        .withResponse();
      let seen = 0;
      for await (const chunk of stream) {
        if (chunk.choices[0]?.delta.content) seen++;
        if (seen === 5) stream.controller.abort();
      }
      await expect.poll(() => at.upstream.calls.at(-1)?.outcome, { timeout: 2_000 }).toBe("client-disconnected");
      const row = await at.testSite.readLogRow(response.headers.get("x-request-id") ?? "");
      expect(row.quota).toBeGreaterThan(0);
      expect(row.completion_tokens).toBeGreaterThanOrEqual(5);
      expect(row.completion_tokens).toBeLessThan(100);
    });

    it("sends a usage chunk to callers who requested it, and to no others", async () => {
      for (const requested of [true, false]) {
        const stream = await openaiClient(at.world.relayUrl, key).chat.completions.create({
          model,
          messages,
          stream: true,
          ...(requested ? { stream_options: { include_usage: true } } : {}),
        });
        let usageChunks = 0;
        for await (const chunk of stream) if (chunk.usage) usageChunks++;
        expect(usageChunks).toBe(requested ? 1 : 0);
      }
    });
  });

  describe("reasoning", () => {
    it.each(models)("returns reasoning of %s to callers of both dialects", async (model) => {
      at.upstream.always({}, { reasoning: "let me think", text: "Done." });
      const whole = await openaiClient(at.world.relayUrl, key).chat.completions.create({ model, messages });
      expect(whole.choices[0]?.message).toMatchObject({
        content: "Done.",
        reasoning_content: expect.stringContaining("think"),
      });
      const response = await fetch(`${at.world.relayUrl}/v1/messages`, {
        method: "POST",
        headers: { "x-api-key": key, "anthropic-version": "2023-06-01", "content-type": "application/json" },
        body: JSON.stringify({ model, max_tokens: 100, messages }),
      });
      expect(await response.json()).toMatchObject({
        content: [
          { type: "thinking", thinking: expect.stringContaining("think") },
          { type: "text", text: "Done." },
        ],
      });
    });
  });
}
