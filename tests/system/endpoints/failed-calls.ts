import { describe, expect, it } from "vitest";
import { type EndpointSite, USAGE } from "./endpoint-site.ts";

/** Calls that upstream fails or that no provider supports. */
export function failedCalls(at: EndpointSite): void {
  describe("failing upstream", () => {
    it("is retried on another channel before the first byte, and cuts the response after it", async () => {
      const { client } = await at.createCaller();
      const requested = { model: "gpt-4.1", input: "x", stream: true } as const;
      at.upstream.next({}, { pieces: 20, cutAfterFrames: 4 });
      const events = [];
      for await (const event of await client.responses.create(requested)) events.push(event);
      expect(events.map(({ type }) => type)).not.toContain("response.completed");
      expect(events.at(-1)).toMatchObject({
        type: "response.failed",
        response: { status: "failed", error: { message: expect.stringMatching(/upstream/) as string } },
      });
      at.upstream.reset();
      at.upstream.next({}, { dropConnection: true });
      const embedded = await client.embeddings.create({ model: "text-embedding-3-small", input: "x" });
      expect(embedded.data).toHaveLength(1);
      expect(new Set(at.upstream.calls.map((call) => call.key)).size).toBe(2);
    });

    it("is retried for a 400 about the channel's key, and returned for a 400 about the call", async () => {
      const { client } = await at.createCaller();
      const requested = { model: "text-embedding-3-small", input: "x" };
      at.upstream.next({}, { refuse: { status: 400, message: "Incorrect API key provided: xAI***. Get one." } });
      expect((await client.embeddings.create(requested)).data).toHaveLength(1);
      expect(new Set(at.upstream.calls.map((call) => call.key)).size).toBe(2);
      at.upstream.next({}, { refuse: { status: 400, message: "input is too long" } });
      await expect(client.embeddings.create(requested)).rejects.toMatchObject({ status: 400 });
      expect(at.upstream.calls).toHaveLength(3);
    });

    it("leaves cut audio without a clean end, and a refused call uncharged", async () => {
      const { client, user } = await at.createCaller();
      const speak = { model: "tts-1", voice: "alloy", input: "Hi" } as const;
      at.upstream.next({}, { refuse: { status: 400, message: "no such voice" } });
      await expect(client.audio.speech.create(speak)).rejects.toMatchObject({ status: 400 });
      at.upstream.next(
        {},
        { raw: { headers: { "content-type": "application/json" }, body: '{"error":{"message":"no"}}' } },
      );
      await expect(client.audio.speech.create(speak)).rejects.toMatchObject({ status: 502 });
      at.upstream.next({}, { text: "la ".repeat(50), cutAfterBytes: 100 });
      const listening = async (): Promise<string> => (await client.audio.speech.create(speak)).text();
      await expect(listening()).rejects.toThrow("terminated");
      const { quota } = await user.client.get<{ quota: number }>("/api/user/self");
      expect(quota).toBeGreaterThanOrEqual(10_000_000 - 15);
    });
  });

  describe("unsupported call", () => {
    it("is refused with a clear error, at no cost", async () => {
      const { client, user } = await at.createCaller();
      const before = at.upstream.calls.length;
      await expect(client.embeddings.create({ model: "gpt-4o", input: [] })).rejects.toMatchObject({
        status: 400,
        param: "input",
      });
      const noEndpoint = client.embeddings.create({ model: "claude-3-5-sonnet-20241022", input: "x" });
      await expect(noEndpoint).rejects.toMatchObject({ status: 400, code: "invalid_request", param: "model" });
      await expect(client.files.list()).rejects.toMatchObject({ status: 501, code: "api_not_implemented" });
      await expect(client.post("/edits", { body: {} })).rejects.toMatchObject({ status: 501 });
      expect(at.upstream.calls.length).toBe(before);
      const { quota } = await user.client.get<{ quota: number }>("/api/user/self");
      expect(quota).toBe(10_000_000);
    });

    it("serves /hf/v1 as an alias of /v1 for Hugging Face clients", async () => {
      const { key } = await at.createCaller();
      at.upstream.always({}, { usage: USAGE });
      const response = await fetch(`${at.world.relayUrl}/hf/v1/embeddings`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: "text-embedding-3-small", input: "x" }),
      });
      expect(response.status).toBe(200);
    });
  });
}
