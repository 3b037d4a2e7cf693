import { NO_USAGE } from "@turnpike/contract/pricing/usage";
import type { Json, ReportedUsage } from "../../../core/chat/chat.ts";
import { getFailure } from "../upstream-failure.ts";
import { StreamFailure } from "../../../core/wire/stream.ts";

export type AudioFormat = "mp3" | "opus" | "flac" | "wav" | "pcm";

/** The content types of audio formats. */
const AUDIO_TYPES: Readonly<Record<AudioFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/opus",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};
const EVENTS_TYPE = "text/event-stream; charset=utf-8";

/** 16-bit little-endian samples. OpenAI's are 24 kHz, mono. */
export type SampleForm = { readonly sampleRate: number; readonly channels: number };
export const OPENAI_SAMPLES: SampleForm = { sampleRate: 24_000, channels: 1 };

const SAMPLE_BYTES = 2;
const HEADER_BYTES = 44;
/** The length in a WAV header that is sent before the audio is complete, as OpenAI does. */
const LENGTH_UNKNOWN = 0xff_ff_ff_ff;

/** OpenAI's `stream_format: "sse"`: the audio as events instead of bytes. */
export const requestsEvents = (body: Json): boolean => body["stream_format"] === "sse";

/** The content type of a response to such a body. */
export const getAudioType = (body: Json, format: AudioFormat): string =>
  requestsEvents(body) ? EVENTS_TYPE : AUDIO_TYPES[format];

/** The header of a WAV file with the given number of sample bytes (RIFF WAVE, format 1). */
export function wavHeader({ sampleRate, channels }: SampleForm, bytes?: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(bytes === undefined ? LENGTH_UNKNOWN : bytes + HEADER_BYTES - 8, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * channels * SAMPLE_BYTES, 28);
  header.writeUInt16LE(channels * SAMPLE_BYTES, 32);
  header.writeUInt16LE(SAMPLE_BYTES * 8, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(bytes ?? LENGTH_UNKNOWN, 40);
  return header;
}

/** The samples of a WAV file without its other chunks; the bytes themselves if it is not a WAV file. */
export function getWavSamples(file: Buffer): Buffer {
  if (!isWav(file)) return file;
  for (let at = 12; at + 8 <= file.length;) {
    const length = file.readUInt32LE(at + 4);
    // A length unknown at the time of writing is 0, or more than the file has.
    if (file.toString("latin1", at, at + 4) === "data")
      return file.subarray(at + 8, length ? at + 8 + length : undefined);
    // Chunks begin at even offsets.
    at += 8 + length + (length % 2);
  }
  return Buffer.alloc(0);
}

export const isWav = (file: Buffer): boolean =>
  file.toString("latin1", 0, 4) === "RIFF" && file.toString("latin1", 8, 12) === "WAVE";

const event = (body: object): Buffer => Buffer.from(`data: ${JSON.stringify(body)}\n\n`);

/** A chunk of audio as OpenAI's event. */
export const audioDelta = (audio: Buffer): Buffer =>
  event({ type: "speech.audio.delta", audio: audio.toString("base64") });

/** The event that ends the audio and reports its usage. */
export function audioDone(usage: ReportedUsage): Buffer {
  const { promptTokens, completionTokens } = usage ?? NO_USAGE;
  const reportedUsage = {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  return event({ type: "speech.audio.done", ...(usage ? { usage: reportedUsage } : {}) });
}

/** For a successful response without audio. */
export const noAudio = (): StreamFailure =>
  new StreamFailure(getFailure("upstream sent no audio", { code: "bad_response_body" }));

/** For upstreams that count characters: these are reported as tokens. */
export const toCharacterUsage = (characters: number): ReportedUsage =>
  characters > 0 ? { ...NO_USAGE, promptTokens: characters } : undefined;
