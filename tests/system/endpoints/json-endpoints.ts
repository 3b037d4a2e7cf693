import { GoogleGenAI } from "@google/genai";
import { anthropicClient } from "../../lib/clients.ts";
import { describe, expect, it } from "vitest";
import { type EndpointSite, USAGE } from "./endpoint-site.ts";

/** Embeddings, completions, moderations, reranking, images, speech and token counts, by each client. */
export function jsonEndpoints(at: EndpointSite): void {
  describe("OpenAI client on non-chat endpoints", () => {
    it("creates embeddings, also in base64, charged for the prompt", async () => {
      const { client } = await at.createCaller();
      at.upstream.always({}, { usage: USAGE });
      const { data, request_id } = await client.embeddings
        .create({ model: "text-embedding-3-small", input: ["one", "two"] })
        .withResponse();
      expect(Array.from(data.data[0]?.embedding ?? [])).toEqual([0.5, -1, 2]);
      expect(await at.readRow(request_id)).toMatchObject({ prompt_tokens: 1000, completion_tokens: 0, quota: 10 });
      const floats = { model: "text-embedding-3-small", input: "one", encoding_format: "float" } as const;
      expect((await client.embeddings.create(floats)).data[0]?.embedding).toEqual([0.5, -1, 2]);
    });

    it("creates embeddings at the legacy engine path, charged by the tokenizer if upstream reports no usage", async () => {
      const { key } = await at.createCaller();
      at.upstream.always({}, { usage: "missing" });
      const response = await fetch(`${at.world.relayUrl}/v1/engines/text-embedding-3-small/embeddings`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ input: "hello world" }),
      });
      expect(response.status).toBe(200);
      expect(at.upstream.calls[0]?.body["model"]).toBe("text-embedding-3-small");
      const row = await at.readRow(response.headers.get("x-request-id"));
      expect(row).toMatchObject({ prompt_tokens: 2, quota: 1 });
      expect(JSON.parse(row.other)).toMatchObject({ usage_estimated: true });
    });

    it("creates completions, streamed and not, natively and through chat", async () => {
      const { client } = await at.createCaller();
      for (const model of ["gpt-3.5-turbo-instruct", "claude-3-5-sonnet-20241022"]) {
        at.upstream.always({}, { text: "upon a time", usage: USAGE });
        const whole = await client.completions.create({ model, prompt: "Once" }).withResponse();
        expect(whole.data.choices[0]).toMatchObject({ text: "upon a time", finish_reason: "stop" });
        expect(whole.data.usage).toMatchObject({ prompt_tokens: 1000, completion_tokens: 200 });
        const streamed = await client.completions.create({ model, prompt: "Once", stream: true }).withResponse();
        let text = "";
        for await (const chunk of streamed.data) text += chunk.choices[0]?.text ?? "";
        expect(text).toBe("upon a time");
        const rows = await Promise.all([at.readRow(whole.request_id), at.readRow(streamed.request_id)]);
        expect(rows.map((row) => row.quota)).toEqual([rows[0]?.quota, rows[0]?.quota]);
        expect(rows[1]).toMatchObject({ prompt_tokens: 1000, completion_tokens: 200, is_stream: true });
      }
    });

    it("creates moderations, charged by the tokenizer", async () => {
      const { client } = await at.createCaller();
      const { data, request_id } = await client.moderations.create({ input: "hello world" }).withResponse();
      expect(data.results[0]?.flagged).toBe(false);
      expect(await at.readRow(request_id)).toMatchObject({ model_name: "text-moderation-stable", prompt_tokens: 2 });
    });

    it("reranks with the mapped model name at a price per call", async () => {
      const { client } = await at.createCaller();
      at.upstream.always({}, { usage: USAGE });
      const body = { model: "rerank-alias", query: "q", documents: ["a", "b"] };
      const { data, response } = await client.post<{ results: unknown[] }>("/rerank", { body }).withResponse();
      expect(data.results).toEqual([{ index: 1, relevance_score: 0.9 }]);
      expect(at.upstream.calls[0]?.body["model"]).toBe("jina-reranker");
      expect(await at.readRow(response.headers.get("x-request-id"))).toMatchObject({ quota: 500, prompt_tokens: 1000 });
    });

    it("creates images, charged by size, quality and number", async () => {
      const { client } = await at.createCaller();
      const large = { model: "dall-e-3", prompt: "a cat", size: "1792x1024", quality: "hd" } as const;
      const { data, request_id } = await client.images.generate(large).withResponse();
      expect(data.data?.[0]?.url).toBe("https://images/1.png");
      const row = await at.readRow(request_id);
      expect(row.quota).toBe(60_000);
      expect(JSON.parse(row.other)).toMatchObject({ endpoint: "openai-images", price_units: 3 });
    });

    it("creates speech: unchanged bytes with their type, charged by the character", async () => {
      const { client } = await at.createCaller();
      at.upstream.always({}, { raw: { headers: { "content-type": "audio/mpeg" }, body: "ÿû-sound" } });
      const response = await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "Grüezi" });
      expect(response.headers.get("content-type")).toBe("audio/mpeg");
      expect(await response.text()).toBe("ÿû-sound");
      expect(await at.readRow(response.headers.get("x-request-id"))).toMatchObject({ prompt_tokens: 6, quota: 45 });
    });
  });

  describe("Google and Anthropic clients", () => {
    it("creates embeddings through Google's upstreams and through OpenAI's", async () => {
      const { key } = await at.createCaller();
      const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: at.world.relayUrl } });
      at.upstream.always({}, { raw: { body: '{"embeddings":[{"values":[1,2]}]}' } });
      const native = await google.models.embedContent({ model: "gemini-embedding-001", contents: "Grüezi" });
      expect(native.embeddings).toEqual([{ values: [1, 2] }]);
      at.upstream.reset();
      const foreign = await google.models.embedContent({ model: "text-embedding-3-small", contents: ["a", "b"] });
      expect(foreign.embeddings?.[0]?.values).toEqual([0.5, -1, 2]);
      expect(at.upstream.calls[0]?.body).toMatchObject({ input: ["a", "b"], model: "text-embedding-3-small" });
    });

    it("counts tokens locally, at no cost, whichever provider serves the model", async () => {
      const { key, user } = await at.createCaller();
      const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: at.world.relayUrl } });
      const messages = [{ role: "user" as const, content: "hello world" }];
      for (const model of ["gpt-4o", "claude-3-5-sonnet-20241022"]) {
        const counted = await anthropicClient(at.world.relayUrl, key).messages.countTokens({ model, messages });
        expect(counted.input_tokens).toBe(8);
        const { totalTokens } = await google.models.countTokens({ model, contents: "hello world" });
        expect(totalTokens).toBe(5);
      }
      const unknown = anthropicClient(at.world.relayUrl, key).messages.countTokens({ model: "nobody", messages });
      await expect(unknown).rejects.toMatchObject({ status: 404 });
      expect(at.upstream.calls).toHaveLength(0);
      expect((await user.client.get<{ quota: number }>("/api/user/self")).quota).toBe(10_000_000);
    });
  });
}
