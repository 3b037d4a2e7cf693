import { NO_USAGE } from "@turnpike/contract/pricing/usage";
import type { Json, ReportedUsage } from "../../core/chat/chat.ts";
import { failureOf } from "../shared/upstream-failure.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

export type SoundFormat = "mp3" | "opus" | "flac" | "wav" | "pcm";

/** What callers are told that sound is. */
const SOUND_TYPES: Readonly<Record<SoundFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/opus",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};
const EVENTS_TYPE = "text/event-stream; charset=utf-8";

/** Samples of 16 bits, little-endian. OpenAI's are 24 kHz, one channel. */
export type SampleForm = { readonly sampleRate: number; readonly channels: number };
export const OPENAI_SAMPLES: SampleForm = { sampleRate: 24_000, channels: 1 };

const SAMPLE_BYTES = 2;
const HEADER_BYTES = 44;
/** What stands in a header that is sent before the sound is there, as OpenAI does. */
const LENGTH_UNKNOWN = 0xff_ff_ff_ff;

/** OpenAI's `stream_format: "sse"`: the sound as events instead of bytes. */
export const wantsEvents = (body: Json): boolean => body["stream_format"] === "sse";

/** The content type of an answer to such a body. */
export const soundType = (body: Json, format: SoundFormat): string =>
  wantsEvents(body) ? EVENTS_TYPE : SOUND_TYPES[format];

/** What stands before samples in a WAV file of so many bytes of them (RIFF WAVE, format 1). */
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

/** The samples of a WAV file, without what else stands in it; the bytes themselves where they are none. */
export function samplesOfWav(file: Buffer): Buffer {
  if (!isWav(file)) return file;
  for (let at = 12; at + 8 <= file.length;) {
    const length = file.readUInt32LE(at + 4);
    // A length that was not known yet stands there as 0, or as more than there is.
    if (file.toString("latin1", at, at + 4) === "data")
      return file.subarray(at + 8, length ? at + 8 + length : undefined);
    // Chunks begin at even places.
    at += 8 + length + (length % 2);
  }
  return Buffer.alloc(0);
}

export const isWav = (file: Buffer): boolean =>
  file.toString("latin1", 0, 4) === "RIFF" && file.toString("latin1", 8, 12) === "WAVE";

const event = (body: object): Buffer => Buffer.from(`data: ${JSON.stringify(body)}\n\n`);

/** A piece of sound as OpenAI's event. */
export const soundDelta = (sound: Buffer): Buffer =>
  event({ type: "speech.audio.delta", audio: sound.toString("base64") });

/** The event that ends the sound and tells its usage. */
export function soundDone(usage: ReportedUsage): Buffer {
  const { promptTokens, completionTokens } = usage ?? NO_USAGE;
  const told = {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  return event({ type: "speech.audio.done", ...(usage ? { usage: told } : {}) });
}

/** Of an answer that came well but for the sound. */
export const noSound = (): StreamFailure =>
  new StreamFailure(failureOf("upstream sent no sound", { code: "bad_response_body" }));

/** Of upstreams that count characters: these stand in the place of tokens. */
export const usageOfCharacters = (characters: number): ReportedUsage =>
  characters > 0 ? { ...NO_USAGE, promptTokens: characters } : undefined;
