import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { wavHeader } from "../shared/endpoints/audio-formats.ts";
import { readResponse, targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";
import type { PostProcessing, Provider } from "../contract/provider.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

function getAliSpeech(): Provider {
  const found = findProvider(17)?.endpoints?.["openai-speech"];
  if (!found) throw new Error("Ali has no speech endpoint");
  return found;
}

const speech = getAliSpeech();
const target = (model: string) => targetFor({ channelType: 17, key: "sk-ali", model });
const QWEN = target("qwen3-tts-flash");
const COSY = target("cosyvoice-v3-flash");
const request = { model: "alias", input: "Hello", voice: "Cherry" };
const SAMPLES = Buffer.from("01020304", "hex");
const WAV = Buffer.concat([wavHeader({ sampleRate: 24_000, channels: 1 }, SAMPLES.length), SAMPLES]);

const requested = (body: Json, of = QWEN) => speech.adaptBody?.({ ...request, ...body }, of);

/** Runs the post-processing of a response; returns the result and the fetched URLs. */
async function finished(response: unknown, body: Json = {}, kept = WAV, of = QWEN) {
  const fetched: string[] = [];
  const fetchFile = (url: string) => (fetched.push(url), Promise.resolve(kept));
  const sent = { headers: {}, body: Buffer.from(JSON.stringify(response)) };
  const done = await speech.finish?.(sent, { body: { ...request, ...body }, target: of }, {
    fetchFile,
  } as PostProcessing);
  return { fetched, body: done?.body ?? Buffer.alloc(0), type: done?.contentType, usage: done?.response?.usage };
}

const toResponse = (audio: Json) => ({ output: { finish_reason: "stop", audio }, usage: {}, request_id: "r" });

describe("Ali speech", () => {
  it("is requested from the multimodal service with text and voice", () => {
    expect(speech.address(QWEN, true)).toEqual({
      url: "https://dashscope.aliyuncs.com/api/v1/services/aigc/multimodal-generation/generation",
      headers: { "content-type": "application/json", authorization: "Bearer sk-ali" },
    });
    expect(requested({ speed: 2, response_format: "mp3", instructions: "calm", user: "u" })).toEqual({
      model: "qwen3-tts-flash",
      input: { text: "Hello", voice: "Cherry" },
    });
  });

  it("passes the language, and the speaking instructions to models that support them", () => {
    expect(requested({ language: "English" })?.["input"]).toMatchObject({ language_type: "English" });
    expect(requested({ language_type: "Chinese" })?.["input"]).toMatchObject({ language_type: "Chinese" });
    const instructed = requested({ instructions: "calm" }, target("qwen3-tts-instruct-flash"));
    expect(instructed?.["input"]).toMatchObject({ instructions: "calm" });
  });

  it("is requested from the synthesizer service for its models, in the caller's format", () => {
    const compatible = { ...COSY, baseUrl: "https://host/compatible-mode/v1" };
    expect(speech.address(compatible, true).url).toBe("https://host/api/v1/services/audio/tts/SpeechSynthesizer");
    const body = { voice: { id: "longanyang" }, speed: 4, response_format: "opus", language: "en", volume: 40 };
    expect(requested(body, COSY)).toEqual({
      model: "cosyvoice-v3-flash",
      input: {
        text: "Hello",
        voice: "longanyang",
        format: "opus",
        sample_rate: 24_000,
        rate: 2,
        language_hints: ["en"],
        volume: 40,
      },
    });
    expect(requested({ response_format: "flac" }, COSY)?.["input"]).toMatchObject({ format: "mp3" });
  });

  it("is fetched from its URL, and charged by the reported characters", async () => {
    const { fetched, body, type, usage } = await finished(readResponse("ali", "speech"));
    expect(fetched).toEqual(["http://dashscope-result-bj.oss-cn-beijing.aliyuncs.com/1d/sound.wav?Expires=1758187426"]);
    expect(body).toEqual(WAV);
    expect(type).toBe("audio/wav");
    expect(usage).toMatchObject({ promptTokens: 195, completionTokens: 0 });
  });

  it("is charged by tokens if those are reported", async () => {
    const { usage } = await finished(readResponse("ali", "speech-tokens"));
    expect(usage).toMatchObject({ promptTokens: 14, completionTokens: 101 });
    expect((await finished(toResponse({ url: "http://a/b" }))).usage).toBeUndefined();
  });

  it("is not fetched if it is in the response; raw samples get a header", async () => {
    const bare = await finished(toResponse({ data: SAMPLES.toString("base64"), url: "http://a/b" }));
    expect(bare).toMatchObject({ fetched: [], body: WAV });
    expect((await finished(toResponse({ data: WAV.toString("base64") }))).body).toEqual(WAV);
  });

  it("is returned as raw samples if requested", async () => {
    const list = Buffer.concat([Buffer.from("LIST"), Buffer.from([3, 0, 0, 0]), Buffer.from("abc\0")]);
    const longer = Buffer.concat([WAV.subarray(0, 36), list, WAV.subarray(36)]);
    const body = { response_format: "pcm" };
    const unsized = Buffer.from(WAV);
    unsized.writeUInt32LE(0, 40);
    for (const kept of [WAV, longer, unsized, SAMPLES]) {
      expect(await finished(readResponse("ali", "speech"), body, kept)).toMatchObject({
        body: SAMPLES,
        type: "audio/pcm",
      });
    }
    const untouched = await finished(toResponse({ url: "http://a/b.mp3" }), {}, SAMPLES, COSY);
    expect(untouched).toMatchObject({ body: SAMPLES, type: "audio/mpeg" });
  });

  it("is returned as OpenAI's events if requested", async () => {
    const { body, type } = await finished(readResponse("ali", "speech"), { stream_format: "sse" });
    expect(type).toContain("text/event-stream");
    const events = body.toString().split("\n\n").slice(0, -1);
    expect(events.map((event) => JSON.parse(event.slice("data: ".length)) as Json)).toEqual([
      { type: "speech.audio.delta", audio: WAV.toString("base64") },
      { type: "speech.audio.done", usage: { input_tokens: 195, output_tokens: 0, total_tokens: 195 } },
    ]);
  });

  it.each<[string, unknown, object]>([
    [
      "over the limit",
      { code: "Throttling.RateQuota", message: "slow", request_id: "r" },
      { status: 429, message: "slow" },
    ],
    ["in arrears", { code: "Arrearage", message: "pay", request_id: "r" }, { status: 403 }],
    ["inspected away", { code: "DataInspectionFailed", message: "no", request_id: "r" }, { status: 400 }],
    ["of another form", { output: {} }, { status: 502 }],
    ["no JSON", "page", { status: 502 }],
  ])("fails as an upstream error if it is %s", async (_, response, failure) => {
    await expect(finished(response)).rejects.toBeInstanceOf(StreamFailure);
    await expect(finished(response)).rejects.toMatchObject(failure);
  });

  it("fails without audio, and a refusal states the reason", async () => {
    await expect(finished(readResponse("ali", "speech"), {}, Buffer.alloc(0))).rejects.toThrow("no audio");
    const refused = { code: "InvalidParameter", message: "voice is not supported", request_id: "r" };
    expect(speech.parseError(400, refused)).toMatchObject({ message: "voice is not supported" });
  });
});
