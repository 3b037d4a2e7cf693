import type { Json, ReportedUsage, StreamPart } from "../../core/chat/chat.ts";
import { asCount, asObject, asText, compact, pick } from "../../core/chat/json.ts";
import { createMappedSplitter } from "../../upstream/frame-splitter.ts";
import { endpointProvider, objectOf } from "../endpoints/endpoint-provider.ts";
import {
  noSound,
  OPENAI_SAMPLES,
  type SampleForm,
  soundDelta,
  soundDone,
  type SoundFormat,
  soundType,
  usageOfCharacters,
  wantsEvents,
  wavHeader,
} from "../endpoints/sound-forms.ts";
import { speedOf, voiceOf } from "../endpoints/speech-fields.ts";
import { parseEventData, readFailure, statusFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import type { OpenAiLike } from "../registry/openai-compatible.ts";
import { minimaxFailure } from "../openai-rules/answers.ts";
import { openAiAddress } from "../openai/openai-address.ts";
import type { Place, Provider, Target } from "../contract/provider.ts";
import type { Frame, FrameSplitter, StreamReader } from "../../core/wire/stream.ts";

const PATH = "/v1/t2a_v2";
const NOTHING = Buffer.alloc(0);
/** What T2A knows beside OpenAI's fields, by the name it has there. */
const OWN_FIELDS = ["language_boost", "pronunciation_dict", "timbre_weights", "voice_modify"] as const;

/** T2A's own formats by OpenAI's names; what it lacks (aac) becomes mp3. */
const FORMATS: ReadonlySet<string> = new Set<SoundFormat>(["mp3", "opus", "flac", "wav", "pcm"]);
/** Asked at OpenAI's rate: bare samples name none, and T2A's usual 32 kHz is none of Opus's. */
const AT_OPENAIS_RATE: ReadonlySet<SoundFormat> = new Set<SoundFormat>(["opus", "wav", "pcm"]);

const SAMPLE_RATES: ReadonlySet<unknown> = new Set([8_000, 16_000, 22_050, 24_000, 32_000, 44_100]);

function formatOf(body: Json): SoundFormat {
  const asked = asText(body["response_format"]) ?? asText(asObject(body["audio_setting"])?.["format"]) ?? "mp3";
  return FORMATS.has(asked) ? (asked as SoundFormat) : "mp3";
}

/** The samples that are asked for: of a caller who says T2A's `audio_setting` itself, those. What T2A does not know it refuses. */
function samplesOf(body: Json): SampleForm {
  const { sample_rate: rate, channel } = asObject(body["audio_setting"]) ?? {};
  return {
    sampleRate: SAMPLE_RATES.has(rate) ? Number(rate) : OPENAI_SAMPLES.sampleRate,
    channels: channel === 2 ? 2 : OPENAI_SAMPLES.channels,
  };
}

function audioSetting(body: Json): Json {
  const format = formatOf(body);
  const { sampleRate, channels } = samplesOf(body);
  return {
    channel: channels,
    ...(AT_OPENAIS_RATE.has(format) ? { sample_rate: sampleRate } : {}),
    ...asObject(body["audio_setting"]),
    // There is no WAV in streams: its samples are asked for, and its header is written here.
    format: format === "wav" ? "pcm" : format,
  };
}

const voiceSetting = (body: Json): Json =>
  compact({ voice_id: voiceOf(body), speed: speedOf(body), ...asObject(body["voice_setting"]) });

const speechBody = (body: Json, { model }: Target): Json => ({
  model,
  text: body["input"],
  stream: true,
  stream_options: { exclude_aggregated_audio: true },
  output_format: "hex",
  voice_setting: voiceSetting(body),
  audio_setting: audioSetting(body),
  ...pick(body, OWN_FIELDS),
});

type Piece = { readonly sound: Buffer; readonly isLast: boolean; readonly usage: ReportedUsage };

/** What an event brings. Throws StreamFailure where it tells of a failure. */
function pieceOf(eventData: string): Piece {
  const body = parseEventData(eventData);
  const failure = minimaxFailure(body);
  if (failure) throw failure;
  const data = asObject(body["data"]);
  return {
    sound: Buffer.from(asText(data?.["audio"]) ?? "", "hex"),
    isLast: data?.["status"] === 2,
    usage: usageOfCharacters(asCount(asObject(body["extra_info"])?.["usage_characters"])),
  };
}

const END_MARK = "[DONE]";

/** Makes of T2A's events what the caller asked for: bytes, or OpenAI's events. */
function createSoundSplitter(asked: Json): FrameSplitter {
  const isEvents = wantsEvents(asked);
  const header = formatOf(asked) === "wav" ? wavHeader(samplesOf(asked)) : NOTHING;
  let hasSound = false;
  const told = (sound: Buffer): Buffer => {
    if (sound.length === 0) return NOTHING;
    const bytes = hasSound ? sound : Buffer.concat([header, sound]);
    hasSound = true;
    return isEvents ? soundDelta(bytes) : bytes;
  };
  return createMappedSplitter(({ event }): Frame => {
    if (!event || event.data === END_MARK) return { raw: NOTHING, event };
    const { sound, isLast, usage } = pieceOf(event.data);
    // The last event may bring all of the sound once more, whatever was asked.
    const raw = told(isLast && hasSound ? NOTHING : sound);
    return { raw: isLast && isEvents ? Buffer.concat([raw, soundDone(usage)]) : raw, event };
  });
}

/** Reads the events as they come: the last one says so, and tells how many characters are charged. */
function newSoundReader(): StreamReader {
  let hasSound = false;
  let isComplete = false;
  return {
    read({ data }): StreamPart[] {
      if (data === END_MARK) return [];
      const { sound, isLast, usage } = pieceOf(data);
      hasSound ||= sound.length > 0;
      if (!isLast) return [];
      if (!hasSound) throw noSound();
      isComplete = true;
      return [{ type: "finish", reason: "stop", usage }];
    },
    end: () => [],
    isComplete: () => isComplete,
  };
}

/** Accounts of the older kind name their group in the address (the channel's `other`). */
function speechPlace(like: OpenAiLike): (target: Target) => Place {
  const speech = { ...like, chatPath: PATH };
  return (target) => {
    const { url, headers } = openAiAddress(speech, target);
    const group = target.other.trim();
    return { url: group === "" ? url : `${url}?GroupId=${encodeURIComponent(group)}`, headers };
  };
}

/**
 * OpenAI's speech on MiniMax's T2A v2, whose streams are events with the sound in hexadecimal
 * (platform.minimax.io/docs/api-reference/speech-t2a-http, errors in /docs/api-reference/errorcode).
 */
export const minimaxSpeech = (like: OpenAiLike): Provider =>
  endpointProvider("openai-speech", {
    address: speechPlace(like),
    adaptBody: speechBody,
    writesStream: (asked) => ({
      contentType: soundType(asked, formatOf(asked)),
      newFrameSplitter: () => createSoundSplitter(asked),
    }),
    newStreamReader: newSoundReader,
    // A stream never is JSON: what is, is an error.
    parseResponse(value) {
      throw minimaxFailure(objectOf(value)) ?? unreadableResponse();
    },
    parseError: (status, body) =>
      minimaxFailure(asObject(body) ?? {})?.upstream ?? readFailure(body) ?? statusFailure(status),
  });
