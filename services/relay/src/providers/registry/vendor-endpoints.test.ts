import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { targetFor } from "../shared/fixtures.ts";
import { findProvider } from "./providers.ts";
import type { PostProcessing, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";

function endpoint(type: number, name: EndpointFormat): Provider {
  const found = findProvider(type)?.endpoints?.[name];
  if (!found) throw new Error(`type ${type} has no ${name}`);
  return found;
}

const postProcessing = { fetchImage: (url: string) => Promise.resolve(`data of ${url}`) } as PostProcessing;

async function finished(provider: Provider, target: Target, response: Json, body: Json = {}): Promise<Json> {
  const sent = { headers: {}, body: Buffer.from(JSON.stringify(response)) };
  const done = await provider.finish?.(sent, { body, target }, postProcessing);
  return JSON.parse(done?.body.toString() ?? "") as Json;
}

describe("Wenxin embeddings endpoint", () => {
  const provider = endpoint(15, "openai-embeddings");
  const target = { ...targetFor({ channelType: 15, model: "bge-large-zh" }), accessToken: "t" };

  it("sends lists of texts to a URL that names the model", () => {
    expect(provider.address(target, false).url).toBe(
      "https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/bge_large_zh?access_token=t",
    );
    const request = { model: "m", input: "a", user: "u", encoding_format: "float" };
    expect(provider.adaptBody?.(request, target)).toEqual({ input: ["a"], user_id: "u" });
    expect(() => provider.adaptBody?.({ input: [1, 2] }, target)).toThrow("not tokens");
  });

  it("returns OpenAI's list, charged for the tokens read", async () => {
    const data = [{ object: "embedding", embedding: [0.5], index: 0 }];
    const usage = { prompt_tokens: 4, total_tokens: 4 };
    const list = await finished(provider, target, { id: "as-1", object: "embedding_list", created: 1, data, usage });
    expect(list).toEqual({ object: "list", model: "bge-large-zh", data, usage });
    expect(provider.parseResponse(list).usage?.promptTokens).toBe(4);
  });

  it("maps a failure with status 200 to the status of its code", async () => {
    const failed = finished(provider, target, { error_code: 18, error_msg: "Open api qps request limit reached" });
    await expect(failed).rejects.toMatchObject({ status: 429, message: "Open api qps request limit reached" });
  });
});

describe("Cohere embeddings endpoint", () => {
  const provider = endpoint(34, "openai-embeddings");
  const target = targetFor({ channelType: 34, model: "embed-v4.0" });

  it("sends the purpose of the texts", () => {
    expect(provider.address(target, false).url).toBe("https://api.cohere.ai/v2/embed");
    const requested = { model: "embed-v4.0", texts: ["a"], embedding_types: ["float"] };
    const request = { model: "m", input: "a", dimensions: 256, encoding_format: "base64", user: "u" };
    expect(provider.adaptBody?.(request, target)).toEqual({
      ...requested,
      input_type: "search_document",
      output_dimension: 256,
    });
    const query = { model: "m", input: ["a"], input_type: "search_query" };
    expect(provider.adaptBody?.(query, target)).toEqual({ ...requested, input_type: "search_query" });
  });

  it("returns OpenAI's list, charged for what Cohere bills", async () => {
    const meta = { billed_units: { input_tokens: 4 } };
    const list = await finished(provider, target, { id: "e", embeddings: { float: [[0.5], [1]] }, texts: [], meta });
    expect(list["data"]).toEqual([
      { object: "embedding", index: 0, embedding: [0.5] },
      { object: "embedding", index: 1, embedding: [1] },
    ]);
    expect(list["usage"]).toEqual({ prompt_tokens: 4, total_tokens: 4 });
  });
});

describe("Ollama embeddings endpoint", () => {
  const target = targetFor({ channelType: 4, baseUrl: "http://ollama:11434/v1", model: "nomic-embed-text" });

  it("serves OpenAI and Google callers", () => {
    const requested = { model: "nomic-embed-text", input: ["a", "b"] };
    const openAi = endpoint(4, "openai-embeddings");
    expect(openAi.address(target, false).url).toBe("http://ollama:11434/api/embed");
    expect(openAi.adaptBody?.({ model: "m", input: ["a", "b"], encoding_format: "float" }, target)).toEqual(requested);
    const requests = ["a", "b"].map((text) => ({ content: { parts: [{ text }] } }));
    expect(endpoint(4, "gemini-batch-embed").adaptBody?.({ requests }, target)).toEqual(requested);
  });

  it("returns one vector per input", async () => {
    const response = { model: "nomic-embed-text", embeddings: [[0.5], [1]], prompt_eval_count: 4 };
    const list = await finished(endpoint(4, "openai-embeddings"), target, response);
    expect(list).toMatchObject({
      data: [
        { index: 0, embedding: [0.5] },
        { index: 1, embedding: [1] },
      ],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    });
  });
});

describe("Hunyuan embeddings endpoint", () => {
  const provider = endpoint(23, "openai-embeddings");
  const target = targetFor({ channelType: 23, key: "1|id|secret", model: "hunyuan-embedding" });

  it("is a signed action of its own", () => {
    const place = provider.address(target, false);
    expect(place).toMatchObject({
      url: "https://hunyuan.tencentcloudapi.com/",
      headers: { "x-tc-action": "GetEmbedding" },
    });
    expect(provider.adaptBody?.({ model: "m", input: ["a", "b"] }, target)).toEqual({ InputList: ["a", "b"] });
    const signed = provider.auth?.sign?.({ ...place, method: "POST", body: "{}" }, target, 0);
    expect(signed?.headers["authorization"]).toMatch(/^TC3-HMAC-SHA256 Credential=id\/1970-01-01\/hunyuan/);
  });

  it("returns OpenAI's list", async () => {
    const Data = [{ Embedding: [0.5], Index: 0, Object: "embedding" }];
    const Response = { Data, Usage: { PromptTokens: 6, TotalTokens: 6 }, RequestId: "r" };
    expect(await finished(provider, target, { Response })).toEqual({
      object: "list",
      model: "hunyuan-embedding",
      data: [{ object: "embedding", index: 0, embedding: [0.5] }],
      usage: { prompt_tokens: 6, total_tokens: 6 },
    });
    const Error = { Code: "AuthFailure.SecretIdNotFound", Message: "no" };
    await expect(finished(provider, target, { Response: { Error } })).rejects.toMatchObject({ status: 401 });
  });
});

describe("DashScope rerank", () => {
  const provider = endpoint(17, "rerank");
  const target = targetFor({
    channelType: 17,
    key: "k",
    model: "gte-rerank-v2",
    baseUrl: "https://host/compatible-mode/v1",
  });

  it("separates input and parameters", () => {
    expect(provider.address(target, false)).toEqual({
      url: "https://host/api/v1/services/rerank/text-rerank/text-rerank",
      headers: { "content-type": "application/json", authorization: "Bearer k" },
    });
    const request = { model: "m", query: "q", documents: ["a"], top_n: 1, return_documents: true };
    expect(provider.adaptBody?.(request, target)).toEqual({
      model: "gte-rerank-v2",
      input: { query: "q", documents: ["a"] },
      parameters: { top_n: 1, return_documents: true },
    });
  });

  it("returns Jina's format", async () => {
    const results = [{ index: 0, relevance_score: 0.9, document: { text: "a" } }];
    const list = await finished(provider, target, {
      output: { results },
      usage: { total_tokens: 79 },
      request_id: "r",
    });
    expect(list).toEqual({ model: "gte-rerank-v2", results, usage: { total_tokens: 79 } });
    expect(provider.parseResponse(list).usage?.promptTokens).toBe(79);
    const failed = finished(provider, target, { code: "Throttling.RateQuota", message: "slow" });
    await expect(failed).rejects.toMatchObject({ status: 429 });
  });
});

describe("Vertex AI embeddings endpoint", () => {
  const provider = findProvider(41)?.forModel?.("text-embedding-005").endpoints?.["openai-embeddings"];
  if (!provider) throw new Error("Vertex has no embeddings");
  const target = targetFor({ channelType: 41, model: "text-embedding-005" });

  it("sends the instances of a prediction, a single instance for the newest model", () => {
    expect(provider.adaptBody?.({ model: "m", input: ["a", "b"], dimensions: 64 }, target)).toEqual({
      instances: [{ content: "a" }, { content: "b" }],
      parameters: { outputDimensionality: 64 },
    });
    const newest = { ...target, model: "gemini-embedding-001" };
    expect(provider.adaptBody?.({ input: "a" }, newest)).toEqual({ instances: [{ content: "a" }] });
    expect(() => provider.adaptBody?.({ input: ["a", "b"] }, newest)).toThrow("one text a call");
  });

  it("returns OpenAI's list, charged for all tokens read", async () => {
    const prediction = (token_count: number) => ({
      embeddings: { values: [0.5], statistics: { truncated: false, token_count } },
    });
    expect(await finished(provider, target, { predictions: [prediction(2), prediction(3)] })).toEqual({
      object: "list",
      model: "text-embedding-005",
      data: [0, 1].map((index) => ({ object: "embedding", index, embedding: [0.5] })),
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
    await expect(finished(provider, target, { predictions: "no" })).rejects.toMatchObject({ status: 502 });
  });
});

describe("image generation of other OpenAI-compatible providers", () => {
  const request = { prompt: "a cat", size: "1024x1024", n: 2, quality: "hd", style: "vivid" };

  it("is sent to xAI without size, quality and style, and gets a creation time", async () => {
    const provider = endpoint(48, "openai-images");
    const target = targetFor({ channelType: 48, model: "grok-2-image" });
    expect(provider.adaptBody?.(request, target)).toEqual({ prompt: "a cat", n: 2 });
    const data = [{ url: "https://x/1.jpg", revised_prompt: "a white cat" }];
    expect(await finished(provider, target, { data })).toEqual({ created: expect.any(Number) as number, data });
    const failed = finished(provider, target, { code: "invalid", error: "no credits" });
    await expect(failed).rejects.toThrow("no credits");
  });

  it("is sent to SiliconFlow in its format, and returned as OpenAI's list", async () => {
    const provider = endpoint(40, "openai-images");
    const target = targetFor({ channelType: 40, model: "Kwai-Kolors/Kolors" });
    expect(provider.adaptBody?.({ ...request, negative_prompt: "dogs" }, target)).toEqual({
      prompt: "a cat",
      negative_prompt: "dogs",
      image_size: "1024x1024",
      batch_size: 2,
    });
    const response = { images: [{ url: "https://x/1.png" }], timings: { inference: 1.2 }, seed: 7 };
    const created = expect.any(Number) as number;
    expect(await finished(provider, target, response)).toEqual({ created, data: [{ url: "https://x/1.png" }] });
    expect(await finished(provider, target, response, { response_format: "b64_json" })).toEqual({
      created,
      data: [{ b64_json: "data of https://x/1.png" }],
    });
    await expect(finished(provider, target, { images: [] })).rejects.toMatchObject({ status: 502 });
  });
});
