import { describe, expect, it } from "vitest";
import type { Json, StreamPart } from "../../core/chat/chat.ts";
import { readResponse, readStreamBytes, targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";
import type { Provider } from "../contract/provider.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

function getMiniMaxSpeech(): Provider {
  const found = findProvider(35)?.endpoints?.["openai-speech"];
  if (!found) throw new Error("MiniMax has no speech endpoint");
  return found;
}

const speech = getMiniMaxSpeech();
const target = targetFor({ channelType: 35, key: "mm-key", model: "speech-2.8-hd" });
const request = { model: "alias", input: "Hello", voice: "Wise_Woman" };

/** What the caller receives of a stream that arrives in chunks, and the parsed usage. */
function heard(requested: Json, stream = "speech", pieceBytes = 17) {
  const form = speech.streaming?.convertsStream?.(requested);
  const [splitter, reader] = [form?.newFrameSplitter(), speech.newStreamReader()];
  const bytes = readStreamBytes("minimax", stream);
  const parts: StreamPart[] = [];
  const raw: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    for (const frame of splitter?.push(bytes.subarray(from, from + pieceBytes)) ?? []) {
      raw.push(frame.raw);
      if (frame.event) parts.push(...reader.read(frame.event));
    }
  }
  return { sound: Buffer.concat(raw), parts, type: form?.contentType, isComplete: reader.isComplete() };
}

const settings = (body: Json) => speech.adaptBody?.({ ...request, ...body }, target)["audio_setting"];

describe("MiniMax speech", () => {
  it("is requested from T2A as a stream, with the voice and the audio in settings", () => {
    expect(speech.adaptBody?.({ ...request, speed: 1.25, language_boost: "auto", user: "u" }, target)).toEqual({
      model: "speech-2.8-hd",
      text: "Hello",
      stream: true,
      stream_options: { exclude_aggregated_audio: true },
      output_format: "hex",
      voice_setting: { voice_id: "Wise_Woman", speed: 1.25 },
      audio_setting: { channel: 1, format: "mp3" },
      language_boost: "auto",
    });
  });

  it("clamps the speed to T2A's range and keeps T2A's own fields of a caller", () => {
    const voice = (body: Json) => speech.adaptBody?.({ ...request, ...body }, target)["voice_setting"];
    expect(voice({ speed: 4 })).toMatchObject({ speed: 2 });
    expect(voice({ speed: 0.25 })).toMatchObject({ speed: 0.5 });
    expect(voice({ voice: { id: "mine" }, voice_setting: { emotion: "happy" } })).toEqual({
      voice_id: "mine",
      emotion: "happy",
    });
    const own = { bitrate: 256_000, format: "flac" };
    expect(settings({ audio_setting: own })).toEqual({ channel: 1, ...own });
  });

  it.each<[unknown, Json, string]>([
    [undefined, { format: "mp3" }, "audio/mpeg"],
    ["aac", { format: "mp3" }, "audio/mpeg"],
    ["flac", { format: "flac" }, "audio/flac"],
    ["opus", { format: "opus", sample_rate: 24_000 }, "audio/opus"],
    ["pcm", { format: "pcm", sample_rate: 24_000 }, "audio/pcm"],
    ["wav", { format: "pcm", sample_rate: 24_000 }, "audio/wav"],
  ])("maps %s to %o with content type %s", (response_format, requested, type) => {
    expect(settings({ response_format })).toEqual({ channel: 1, ...requested });
    expect(speech.streaming?.convertsStream?.({ ...request, response_format }).contentType).toBe(type);
  });

  it("uses T2A's URL, with the channel's group if it has one", () => {
    expect(speech.address(target, true)).toEqual({
      url: "https://api.minimax.chat/v1/t2a_v2",
      headers: { "content-type": "application/json", authorization: "Bearer mm-key" },
    });
    const grouped = { ...target, baseUrl: "https://api.minimax.io/v1", other: " 1987 " };
    expect(speech.address(grouped, true).url).toBe("https://api.minimax.io/v1/t2a_v2?GroupId=1987");
  });

  it.each([1, 17, 100_000])("is bytes without the final repetition, in chunks of %i", (pieceBytes) => {
    const { sound: audio, parts, type, isComplete } = heard(request, "speech", pieceBytes);
    expect(audio.toString("hex")).toBe("fffb90000102");
    expect(type).toBe("audio/mpeg");
    expect(parts).toMatchObject([{ type: "finish", usage: { promptTokens: 26, completionTokens: 0 } }]);
    expect(isComplete).toBe(true);
  });

  it("is a WAV file of its samples if requested", () => {
    const { sound: audio } = heard({
      ...request,
      response_format: "wav",
      audio_setting: { sample_rate: 16_000, channel: 2 },
    });
    expect(audio.toString("latin1", 0, 4)).toBe("RIFF");
    expect([audio.readUInt16LE(22), audio.readUInt32LE(24), audio.readUInt32LE(28)]).toEqual([2, 16_000, 64_000]);
    expect(audio.subarray(44).toString("hex")).toBe("fffb90000102");
    // T2A refuses such values; they must not break anything before.
    const odd = { sample_rate: -1.5, channel: 70_000 };
    expect(settings({ response_format: "wav", audio_setting: odd })).toEqual({ ...odd, format: "pcm" });
    expect(heard({ ...request, response_format: "wav", audio_setting: odd }).sound.readUInt32LE(24)).toBe(24_000);
  });

  it("is OpenAI's events if requested, with the usage in the last one", () => {
    const { sound: audio, type } = heard({ ...request, stream_format: "sse" });
    expect(type).toContain("text/event-stream");
    const events = audio.toString().split("\n\n").slice(0, -1);
    expect(events.map((event) => JSON.parse(event.slice("data: ".length)) as Json)).toEqual([
      { type: "speech.audio.delta", audio: Buffer.from("fffb9000", "hex").toString("base64") },
      { type: "speech.audio.delta", audio: Buffer.from("0102", "hex").toString("base64") },
      { type: "speech.audio.done", usage: { input_tokens: 26, output_tokens: 0, total_tokens: 26 } },
    ]);
  });

  it("fails if it breaks off or has no audio", () => {
    expect(() => heard(request, "speech-error")).toThrow(StreamFailure);
    expect(() => heard(request, "speech-error")).toThrow("rate limit exceeded");
    const silent = { data: { audio: "", status: 2 }, base_resp: { status_code: 0 } };
    const reader = speech.newStreamReader();
    expect(() => reader.read({ event: undefined, data: JSON.stringify(silent) })).toThrow("no audio");
    expect(reader.isComplete()).toBe(false);
  });

  it("states the reason of a refusal, also with status 200", () => {
    const refused = readResponse("minimax", "speech-error");
    const read = (body: unknown) => () => speech.parseResponse(body);
    expect(read(refused)).toThrow(expect.objectContaining({ status: 402, message: "insufficient balance" }));
    expect(read({ data: { audio: "00" } })).toThrow("unreadable");
    expect(speech.parseError(400, refused)).toMatchObject({ message: "insufficient balance", code: "1008" });
  });

  it.each([
    [1002, 429],
    [1041, 429],
    [2056, 429],
    [1004, 401],
    [2049, 401],
    [1008, 402],
    [1026, 400],
    [1042, 400],
    [2013, 400],
    [2054, 400],
    [1024, 500],
    [7777, 502],
  ])("maps code %i to status %i", (status_code, status) => {
    const body = { base_resp: { status_code, status_msg: "no" } };
    expect(() => speech.parseResponse(body)).toThrow(expect.objectContaining({ status }));
  });
});
