import { GoogleGenAI } from "@google/genai";
import type OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anthropicClient, openaiClient } from "../lib/clients.ts";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { type LogRow, openShop, type Shop } from "../lib/shop.ts";
import { testBacking } from "../lib/backing/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";

const MODELS = [
  "text-embedding-3-small",
  "gpt-3.5-turbo-instruct",
  "text-moderation-stable",
  "gpt-image-1",
  "dall-e-2",
  "dall-e-3",
  "tts-1",
  "whisper-1",
  "gpt-4o",
  "gpt-4.1",
];

let world: World;
let upstream: FakeUpstream;
let shop: Shop;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  // The scripted upstream returns audio by URLs on its own private address.
  world = await startWorld({
    backing: testBacking(),
    env: { PRIVATE_ADDRESS_ALLOWLIST: "127.0.0.1/32", GLOBAL_API_RATE_LIMIT_ENABLE: "false" },
  });
  shop = await openShop(world, upstream.url);
  const channel = { key: "up-key", base_url: upstream.url, group: "default" };
  await shop.root.post("/api/channel/", { ...channel, type: 1, name: "endpoints", models: MODELS.join(",") });
  const second = { ...channel, key: "up-second", models: "text-embedding-3-small" };
  await shop.root.post("/api/channel/", { ...second, type: 1, name: "second" });
  const mapping = JSON.stringify({ "rerank-alias": "jina-reranker", hearing: "FunAudioLLM/SenseVoiceSmall" });
  await shop.root.post("/api/channel/", {
    ...channel,
    type: 40,
    name: "reranking",
    models: "rerank-alias,hearing",
    model_mapping: mapping,
  });
  await shop.root.post("/api/channel/", { ...channel, type: 24, name: "google", models: "gemini-embedding-001" });
  await shop.root.post("/api/channel/", { ...channel, type: 35, name: "minimax", models: "speech-2.8-hd" });
  await shop.root.post("/api/channel/", {
    ...channel,
    type: 17,
    name: "ali",
    models: "qwen3-tts-flash,cosyvoice-v3-flash",
  });
  await shop.root.put("/api/option/", {
    key: "ModelPrice",
    value: '{"rerank-alias":0.001,"cosyvoice-v3-flash":0.001,"hearing":0.001,"dall-e-2":0.02,"dall-e-3":0.04}',
  });
}, 120_000);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

async function caller() {
  const person = await shop.person(10_000_000);
  const { key } = await shop.token({}, person.client);
  return { key, client: openaiClient(world.relayUrl, key), person };
}

/** The only log row of a call. */
const rowOf = async (requestId: string | null | undefined): Promise<LogRow> => shop.logOf(requestId ?? "");

const usage = { inputTokens: 1000, cachedTokens: 0, outputTokens: 200, reasoningTokens: 0 };

describe("OpenAI client on non-chat endpoints", () => {
  it("creates embeddings, also in base64, charged for the prompt", async () => {
    const { client } = await caller();
    upstream.always({}, { usage });
    const { data, request_id } = await client.embeddings
      .create({ model: "text-embedding-3-small", input: ["one", "two"] })
      .withResponse();
    expect(Array.from(data.data[0]?.embedding ?? [])).toEqual([0.5, -1, 2]);
    expect(await rowOf(request_id)).toMatchObject({ prompt_tokens: 1000, completion_tokens: 0, quota: 10 });
    const floats = { model: "text-embedding-3-small", input: "one", encoding_format: "float" } as const;
    expect((await client.embeddings.create(floats)).data[0]?.embedding).toEqual([0.5, -1, 2]);
  });

  it("creates embeddings at the legacy engine path, charged by the tokenizer if upstream reports no usage", async () => {
    const { key } = await caller();
    upstream.always({}, { usage: "missing" });
    const answer = await fetch(`${world.relayUrl}/v1/engines/text-embedding-3-small/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ input: "hello world" }),
    });
    expect(answer.status).toBe(200);
    expect(upstream.calls[0]?.body["model"]).toBe("text-embedding-3-small");
    const row = await rowOf(answer.headers.get("x-request-id"));
    expect(row).toMatchObject({ prompt_tokens: 2, quota: 1 });
    expect(JSON.parse(row.other)).toMatchObject({ usage_estimated: true });
  });

  it("creates completions, streamed and not, natively and through chat", async () => {
    const { client } = await caller();
    for (const model of ["gpt-3.5-turbo-instruct", "claude-3-5-sonnet-20241022"]) {
      upstream.always({}, { text: "upon a time", usage });
      const whole = await client.completions.create({ model, prompt: "Once" }).withResponse();
      expect(whole.data.choices[0]).toMatchObject({ text: "upon a time", finish_reason: "stop" });
      expect(whole.data.usage).toMatchObject({ prompt_tokens: 1000, completion_tokens: 200 });
      const streamed = await client.completions.create({ model, prompt: "Once", stream: true }).withResponse();
      let text = "";
      for await (const chunk of streamed.data) text += chunk.choices[0]?.text ?? "";
      expect(text).toBe("upon a time");
      const rows = await Promise.all([rowOf(whole.request_id), rowOf(streamed.request_id)]);
      expect(rows.map((row) => row.quota)).toEqual([rows[0]?.quota, rows[0]?.quota]);
      expect(rows[1]).toMatchObject({ prompt_tokens: 1000, completion_tokens: 200, is_stream: true });
    }
  });

  it("creates moderations, charged by the tokenizer", async () => {
    const { client } = await caller();
    const { data, request_id } = await client.moderations.create({ input: "hello world" }).withResponse();
    expect(data.results[0]?.flagged).toBe(false);
    expect(await rowOf(request_id)).toMatchObject({ model_name: "text-moderation-stable", prompt_tokens: 2 });
  });

  it("reranks with the mapped model name at a price per call", async () => {
    const { client } = await caller();
    upstream.always({}, { usage });
    const body = { model: "rerank-alias", query: "q", documents: ["a", "b"] };
    const { data, response } = await client.post<{ results: unknown[] }>("/rerank", { body }).withResponse();
    expect(data.results).toEqual([{ index: 1, relevance_score: 0.9 }]);
    expect(upstream.calls[0]?.body["model"]).toBe("jina-reranker");
    expect(await rowOf(response.headers.get("x-request-id"))).toMatchObject({ quota: 500, prompt_tokens: 1000 });
  });

  it("creates images, charged by size, quality and number", async () => {
    const { client } = await caller();
    const large = { model: "dall-e-3", prompt: "a cat", size: "1792x1024", quality: "hd" } as const;
    const { data, request_id } = await client.images.generate(large).withResponse();
    expect(data.data?.[0]?.url).toBe("https://images/1.png");
    const row = await rowOf(request_id);
    expect(row.quota).toBe(60_000);
    expect(JSON.parse(row.other)).toMatchObject({ endpoint: "openai-images", price_units: 3 });
  });

  it("creates speech: unchanged bytes with their type, charged by the character", async () => {
    const { client } = await caller();
    upstream.always({}, { raw: { headers: { "content-type": "audio/mpeg" }, body: "ÿû-sound" } });
    const answer = await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "Grüezi" });
    expect(answer.headers.get("content-type")).toBe("audio/mpeg");
    expect(await answer.text()).toBe("ÿû-sound");
    expect(await rowOf(answer.headers.get("x-request-id"))).toMatchObject({ prompt_tokens: 6, quota: 45 });
  });
});

describe("speech in other upstream formats", () => {
  it("is returned by MiniMax as audio of the requested format, charged by the characters it reports", async () => {
    const { client } = await caller();
    const asked = { model: "speech-2.8-hd", voice: "Wise_Woman", input: "今天是不是很开心呀" } as const;
    const answer = await client.audio.speech.create(asked);
    expect(answer.headers.get("content-type")).toBe("audio/mpeg");
    expect(Buffer.from(await answer.arrayBuffer()).toString("hex")).toBe("fffb90000102");
    expect(await rowOf(answer.headers.get("x-request-id"))).toMatchObject({ prompt_tokens: 26, quota: 1_300 });
    const events = await client.audio.speech.create({ ...asked, stream_format: "sse" });
    expect(events.headers.get("content-type")).toContain("text/event-stream");
    expect(await events.text()).toMatch(/speech\.audio\.delta.*\n\n.*speech\.audio\.done.*"input_tokens":26/);
    const stranger = client.audio.speech.create({ ...asked, voice: "alloy" });
    await expect(stranger).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("voice id") as string,
    });
  });

  it("is fetched from DashScope by the URL in its response, or extracted from the response", async () => {
    const { client } = await caller();
    const asked = { model: "qwen3-tts-flash", voice: "Cherry", input: "今天是不是很开心呀" } as const;
    const answer = await client.audio.speech.create(asked);
    expect(answer.headers.get("content-type")).toBe("audio/wav");
    expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 4)).toBe("RIFF");
    expect(await rowOf(answer.headers.get("x-request-id"))).toMatchObject({ prompt_tokens: 20, quota: 100 });
    const samples = await client.audio.speech.create({ ...asked, response_format: "pcm" });
    expect(Buffer.from(await samples.arrayBuffer()).toString("hex")).toBe("01020304");
    const other = await client.audio.speech.create({ ...asked, model: "cosyvoice-v3-flash" });
    expect(other.headers.get("content-type")).toBe("audio/mpeg");
    expect(Buffer.from(await other.arrayBuffer()).toString("hex")).toBe("fffb9000");
    const stranger = client.audio.speech.create({ ...asked, voice: "alloy" });
    await expect(stranger).rejects.toMatchObject({ status: 400, message: expect.stringContaining("Voice") as string });
  });
});

/** Two seconds of silence at 16 kB per second. */
function recording(): File {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt32LE(16_000, 28);
  head.write("data", 36);
  head.writeUInt32LE(32_000, 40);
  return new File([head, Buffer.alloc(32_000)], "a.wav", { type: "audio/wav" });
}

describe("multipart forms", () => {
  it("transcribes files, as JSON and as text, charged by the second", async () => {
    const { client } = await caller();
    upstream.always({}, { text: "Grüezi mitenand" });
    const asked = { model: "whisper-1", file: recording() };
    const { data, request_id } = await client.audio.transcriptions.create(asked).withResponse();
    expect(data.text).toBe("Grüezi mitenand");
    expect(upstream.calls[0]?.body).toMatchObject({ model: "whisper-1" });
    expect(String(upstream.calls[0]?.body["file"])).toHaveLength(32_044);
    expect(await rowOf(request_id)).toMatchObject({ prompt_tokens: 33, quota: 495 });
    upstream.always({}, { raw: { headers: { "content-type": "text/plain" }, body: "Grüezi" } });
    const plain = await client.audio.transcriptions.create({ ...asked, response_format: "text" });
    expect(plain).toBe("Grüezi");
  });

  it("sends upstream the mapped model name and every byte of the file unchanged", async () => {
    const { client } = await caller();
    upstream.always({}, { text: "Hi" });
    await client.audio.transcriptions.create({ model: "hearing", file: recording() });
    expect(upstream.calls[0]?.body).toMatchObject({ model: "FunAudioLLM/SenseVoiceSmall" });
    expect(String(upstream.calls[0]?.body["file"])).toHaveLength(32_044);
  });

  it("processes image edits at the price of images", async () => {
    const { client } = await caller();
    const image = new File([Buffer.from([1, 2, 3])], "a.png", { type: "image/png" });
    const { data, request_id } = await client.images
      .edit({ model: "dall-e-2", image, prompt: "a hat", size: "256x256", n: 2 })
      .withResponse();
    expect(data.data?.[0]?.url).toBe("https://images/1.png");
    expect(await rowOf(request_id)).toMatchObject({ quota: 8_000 });
  });

  it("refuses forms without a file, and truncated forms", async () => {
    const { key } = await caller();
    const send = (body: string, type: string): Promise<Response> =>
      fetch(`${world.relayUrl}/v1/audio/transcriptions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": type },
        body,
      });
    expect((await send('{"model":"whisper-1"}', "application/json")).status).toBe(400);
    expect((await send("--x\r\nContent-Disposition: form-data", "multipart/form-data; boundary=x")).status).toBe(400);
    expect(upstream.calls).toHaveLength(0);
  });
});

describe("streams of non-chat endpoints", () => {
  const events = (...data: readonly object[]) => ({
    headers: { "content-type": "text/event-stream" },
    body: data.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
  });

  it("returns partial images, charged by their tokens", async () => {
    const { client } = await caller();
    const counted = { input_tokens: 10, output_tokens: 272, total_tokens: 282 };
    const drawn = { type: "image_generation.completed", b64_json: "AA==", usage: counted };
    const partial = { type: "image_generation.partial_image", b64_json: "AA==", partial_image_index: 0 };
    upstream.always({}, { raw: events(partial, drawn) });
    const { data, request_id } = await client.images
      .generate({ model: "gpt-image-1", prompt: "a cat", stream: true, partial_images: 1 })
      .withResponse();
    const types: string[] = [];
    for await (const event of data) types.push(event.type);
    expect(types).toEqual(["image_generation.partial_image", "image_generation.completed"]);
    // (10 + 272 × 8) × 2.5
    expect(await rowOf(request_id)).toMatchObject({ quota: 5_465, prompt_tokens: 10, completion_tokens: 272 });
  });

  it("returns a partial transcript, and cuts the response if upstream ends early", async () => {
    const { client } = await caller();
    const delta = { type: "transcript.text.delta", delta: "Grüezi" };
    const done = { type: "transcript.text.done", text: "Grüezi", usage: { input_tokens: 14, output_tokens: 4 } };
    upstream.next({}, { raw: events(delta, done) });
    const asked = { model: "hearing", file: recording(), stream: true } as const;
    const { data, request_id } = await client.audio.transcriptions.create(asked).withResponse();
    const types: string[] = [];
    for await (const event of data) types.push(event.type);
    expect(types).toEqual(["transcript.text.delta", "transcript.text.done"]);
    expect(await rowOf(request_id)).toMatchObject({ prompt_tokens: 14, completion_tokens: 4, is_stream: true });
    upstream.next({}, { raw: events(delta) });
    const cut = await client.audio.transcriptions.create(asked);
    const reading = async (): Promise<void> => {
      for await (const event of cut) types.push(event.type);
    };
    await expect(reading()).rejects.toThrow(/upstream/);
  });
});

describe("responses", () => {
  const models = ["gpt-4.1", "claude-3-5-sonnet-20241022", "gemini-2.0-flash"];

  it.each(models)("serves and streams responses on %s", async (model) => {
    const { client } = await caller();
    upstream.always({}, { text: "It is sunny.", usage });
    const whole = await client.responses.create({ model, instructions: "Be brief.", input: "Weather?" }).withResponse();
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
    const rows = await Promise.all([rowOf(whole.request_id), rowOf(events.request_id)]);
    expect(rows.map((row) => row.completion_tokens)).toEqual([200, 200]);
  });

  it("calls tools through chat, and accepts their results", async () => {
    const { client } = await caller();
    const model = "claude-3-5-sonnet-20241022";
    const call = { name: "weather", arguments: { city: "Zürich" } };
    upstream.next({}, { toolCalls: [call, { ...call, arguments: { city: "Genf" } }], usage });
    const tools: OpenAI.Responses.FunctionTool[] = [
      { type: "function", name: "weather", parameters: { type: "object", properties: {} }, strict: false },
    ];
    const first = await client.responses.create({ model, input: "Weather?", tools });
    const calls = first.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
    expect(calls.map((item) => JSON.parse(item.arguments) as unknown)).toEqual([{ city: "Zürich" }, { city: "Genf" }]);
    upstream.next({}, { text: "Sun.", usage });
    const results = calls.map(({ call_id }) => ({ type: "function_call_output" as const, call_id, output: "sun" }));
    const second = await client.responses.create({
      model,
      tools,
      input: [{ role: "user", content: "Weather?" }, ...calls, ...results],
    });
    expect(second.output_text).toBe("Sun.");
  });

  it("continues a previous response only if the provider stores state", async () => {
    const { client } = await caller();
    const asked = { input: "And now?", previous_response_id: "resp_1" };
    await client.responses.create({ model: "gpt-4.1", ...asked });
    expect(upstream.calls[0]?.body["previous_response_id"]).toBe("resp_1");
    const refused = client.responses.create({ model: "claude-3-5-sonnet-20241022", ...asked });
    await expect(refused).rejects.toMatchObject({ status: 400, param: "previous_response_id" });
  });
});

describe("Google and Anthropic clients", () => {
  it("creates embeddings through Google's upstreams and through OpenAI's", async () => {
    const { key } = await caller();
    const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: world.relayUrl } });
    upstream.always({}, { raw: { body: '{"embeddings":[{"values":[1,2]}]}' } });
    const native = await google.models.embedContent({ model: "gemini-embedding-001", contents: "Grüezi" });
    expect(native.embeddings).toEqual([{ values: [1, 2] }]);
    upstream.reset();
    const foreign = await google.models.embedContent({ model: "text-embedding-3-small", contents: ["a", "b"] });
    expect(foreign.embeddings?.[0]?.values).toEqual([0.5, -1, 2]);
    expect(upstream.calls[0]?.body).toMatchObject({ input: ["a", "b"], model: "text-embedding-3-small" });
  });

  it("counts tokens locally, at no cost, whoever serves the model", async () => {
    const { key, person } = await caller();
    const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: world.relayUrl } });
    const messages = [{ role: "user" as const, content: "hello world" }];
    for (const model of ["gpt-4o", "claude-3-5-sonnet-20241022"]) {
      const counted = await anthropicClient(world.relayUrl, key).messages.countTokens({ model, messages });
      expect(counted.input_tokens).toBe(8);
      const { totalTokens } = await google.models.countTokens({ model, contents: "hello world" });
      expect(totalTokens).toBe(5);
    }
    const unknown = anthropicClient(world.relayUrl, key).messages.countTokens({ model: "nobody", messages });
    await expect(unknown).rejects.toMatchObject({ status: 404 });
    expect(upstream.calls).toHaveLength(0);
    expect((await person.client.get<{ quota: number }>("/api/user/self")).quota).toBe(10_000_000);
  });
});

describe("failing upstream", () => {
  it("is retried on another channel before the first byte, and cuts the response after it", async () => {
    const { client } = await caller();
    const asked = { model: "gpt-4.1", input: "x", stream: true } as const;
    upstream.next({}, { pieces: 20, cutAfterFrames: 4 });
    const events: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const event of await client.responses.create(asked)) events.push(event.type);
    };
    await expect(reading()).rejects.toThrow(/upstream/);
    expect(events).not.toContain("response.completed");
    upstream.reset();
    upstream.next({}, { dropConnection: true });
    const embedded = await client.embeddings.create({ model: "text-embedding-3-small", input: "x" });
    expect(embedded.data).toHaveLength(1);
    expect(new Set(upstream.calls.map((call) => call.key)).size).toBe(2);
  });

  it("is retried for a 400 about the channel's key, and returned for a 400 about the call", async () => {
    const { client } = await caller();
    const asked = { model: "text-embedding-3-small", input: "x" };
    upstream.next({}, { refuse: { status: 400, message: "Incorrect API key provided: xAI***. Get one." } });
    expect((await client.embeddings.create(asked)).data).toHaveLength(1);
    expect(new Set(upstream.calls.map((call) => call.key)).size).toBe(2);
    upstream.next({}, { refuse: { status: 400, message: "input is too long" } });
    await expect(client.embeddings.create(asked)).rejects.toMatchObject({ status: 400 });
    expect(upstream.calls).toHaveLength(3);
  });

  it("leaves cut audio without a clean end, and a refused call uncharged", async () => {
    const { client, person } = await caller();
    const speak = { model: "tts-1", voice: "alloy", input: "Hi" } as const;
    upstream.next({}, { refuse: { status: 400, message: "no such voice" } });
    await expect(client.audio.speech.create(speak)).rejects.toMatchObject({ status: 400 });
    upstream.next({}, { raw: { headers: { "content-type": "application/json" }, body: '{"error":{"message":"no"}}' } });
    await expect(client.audio.speech.create(speak)).rejects.toMatchObject({ status: 502 });
    upstream.next({}, { text: "la ".repeat(50), cutAfterBytes: 100 });
    const listening = async (): Promise<string> => (await client.audio.speech.create(speak)).text();
    await expect(listening()).rejects.toThrow("terminated");
    const { quota } = await person.client.get<{ quota: number }>("/api/user/self");
    expect(quota).toBeGreaterThanOrEqual(10_000_000 - 15);
  });
});

describe("unsupported call", () => {
  it("is refused with a clear error, at no cost", async () => {
    const { client, person } = await caller();
    const before = upstream.calls.length;
    await expect(client.embeddings.create({ model: "gpt-4o", input: [] })).rejects.toMatchObject({
      status: 400,
      param: "input",
    });
    const noEndpoint = client.embeddings.create({ model: "claude-3-5-sonnet-20241022", input: "x" });
    await expect(noEndpoint).rejects.toMatchObject({ status: 400, code: "invalid_request", param: "model" });
    await expect(client.files.list()).rejects.toMatchObject({ status: 501, code: "api_not_implemented" });
    await expect(client.post("/edits", { body: {} })).rejects.toMatchObject({ status: 501 });
    expect(upstream.calls.length).toBe(before);
    const { quota } = await person.client.get<{ quota: number }>("/api/user/self");
    expect(quota).toBe(10_000_000);
  });

  it("serves /hf/v1 as an alias of /v1 for Hugging Face clients", async () => {
    const { key } = await caller();
    upstream.always({}, { usage });
    const answer = await fetch(`${world.relayUrl}/hf/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: "text-embedding-3-small", input: "x" }),
    });
    expect(answer.status).toBe(200);
  });
});
