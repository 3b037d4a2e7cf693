import type { Json, ReportedUsage, StreamPart } from "../../core/chat/chat.ts";
import { asCount, asObject, asText, compact, pick } from "../../core/chat/json.ts";
import { createMappedSplitter } from "../../upstream/frame-splitter.ts";
import { endpointProvider, parseObject } from "../shared/endpoints/endpoint-provider.ts";
import {
  noAudio,
  OPENAI_SAMPLES,
  type SampleForm,
  audioDelta,
  audioDone,
  type AudioFormat,
  getAudioType,
  toCharacterUsage,
  requestsEvents,
  wavHeader,
} from "../shared/endpoints/audio-formats.ts";
import { parseSpeed, getVoice } from "../shared/endpoints/speech-fields.ts";
import { parseEventData, readFailure, statusFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { minimaxFailure } from "./minimax-failure.ts";
import { openAiAddress } from "../formats/openai/openai-address.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import type { Frame, FrameSplitter, StreamReader } from "../../core/wire/stream.ts";

const PATH = "/v1/t2a_v2";
const NOTHING = Buffer.alloc(0);
/** T2A's parameters besides OpenAI's fields, by their own names. */
const OWN_FIELDS = ["language_boost", "pronunciation_dict", "timbre_weights", "voice_modify"] as const;

/** T2A's own formats by OpenAI's names; a missing format (aac) becomes mp3. */
const FORMATS: ReadonlySet<string> = new Set<AudioFormat>(["mp3", "opus", "flac", "wav", "pcm"]);
/**
 * Requested at OpenAI's sample rate: raw samples do not contain one, and T2A's default of 32 kHz is not valid for Opus.
 */
const AT_OPENAIS_RATE: ReadonlySet<AudioFormat> = new Set<AudioFormat>(["opus", "wav", "pcm"]);

const SAMPLE_RATES: ReadonlySet<unknown> = new Set([8_000, 16_000, 22_050, 24_000, 32_000, 44_100]);

function getFormat(body: Json): AudioFormat {
  const requested = asText(body["response_format"]) ?? asText(asObject(body["audio_setting"])?.["format"]) ?? "mp3";
  return FORMATS.has(requested) ? (requested as AudioFormat) : "mp3";
}

/** The requested audio settings; a caller's own `audio_setting` of T2A takes precedence. T2A refuses unknown values. */
function getSamples(body: Json): SampleForm {
  const { sample_rate: rate, channel } = asObject(body["audio_setting"]) ?? {};
  return {
    sampleRate: SAMPLE_RATES.has(rate) ? Number(rate) : OPENAI_SAMPLES.sampleRate,
    channels: channel === 2 ? 2 : OPENAI_SAMPLES.channels,
  };
}

function audioSetting(body: Json): Json {
  const format = getFormat(body);
  const { sampleRate, channels } = getSamples(body);
  return {
    channel: channels,
    ...(AT_OPENAIS_RATE.has(format) ? { sample_rate: sampleRate } : {}),
    ...asObject(body["audio_setting"]),
    // Streams do not support WAV: its samples are requested, and the header is written here.
    format: format === "wav" ? "pcm" : format,
  };
}

const voiceSetting = (body: Json): Json =>
  compact({ voice_id: getVoice(body), speed: parseSpeed(body), ...asObject(body["voice_setting"]) });

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

type Piece = { readonly audio: Buffer; readonly isLast: boolean; readonly usage: ReportedUsage };

/** The audio of an event. Throws StreamFailure if it reports a failure. */
function getPiece(eventData: string): Piece {
  const body = parseEventData(eventData);
  const failure = minimaxFailure(body);
  if (failure) throw failure;
  const data = asObject(body["data"]);
  return {
    audio: Buffer.from(asText(data?.["audio"]) ?? "", "hex"),
    isLast: data?.["status"] === 2,
    usage: toCharacterUsage(asCount(asObject(body["extra_info"])?.["usage_characters"])),
  };
}

const END_MARK = "[DONE]";

/** Converts T2A's events to what the caller requested: bytes, or OpenAI's events. */
function createAudioSplitter(requested: Json): FrameSplitter {
  const isEvents = requestsEvents(requested);
  const header = getFormat(requested) === "wav" ? wavHeader(getSamples(requested)) : NOTHING;
  let hasAudio = false;
  const withHeader = (audio: Buffer): Buffer => {
    if (audio.length === 0) return NOTHING;
    const bytes = hasAudio ? audio : Buffer.concat([header, audio]);
    hasAudio = true;
    return isEvents ? audioDelta(bytes) : bytes;
  };
  return createMappedSplitter(({ event }): Frame => {
    if (!event || event.data === END_MARK) return { raw: NOTHING, event };
    const { audio, isLast, usage } = getPiece(event.data);
    // The last event may repeat the whole audio, whatever was requested.
    const raw = withHeader(isLast && hasAudio ? NOTHING : audio);
    return { raw: isLast && isEvents ? Buffer.concat([raw, audioDone(usage)]) : raw, event };
  });
}

/** Parses the events as they arrive; the last one is marked and reports how many characters are charged. */
function newAudioReader(): StreamReader {
  let hasAudio = false;
  let isComplete = false;
  return {
    read({ data }): StreamPart[] {
      if (data === END_MARK) return [];
      const { audio, isLast, usage } = getPiece(data);
      hasAudio ||= audio.length > 0;
      if (!isLast) return [];
      if (!hasAudio) throw noAudio();
      isComplete = true;
      return [{ type: "finish", reason: "stop", usage }];
    },
    end: () => [],
    isComplete: () => isComplete,
  };
}

/** Accounts of the older kind name their group in the URL (the channel's `other`). */
function speechPlace(like: OpenAiCompatible): (target: Target) => Endpoint {
  const speech = { ...like, chatPath: PATH };
  return (target) => {
    const { url, headers } = openAiAddress(speech, target);
    const group = target.other.trim();
    return { url: group === "" ? url : `${url}?GroupId=${encodeURIComponent(group)}`, headers };
  };
}

/**
 * OpenAI's speech on MiniMax's T2A v2, whose streams are events with hexadecimal audio
 * (platform.minimax.io/docs/api-reference/speech-t2a-http, errors in /docs/api-reference/errorcode).
 */
export const minimaxSpeech = (like: OpenAiCompatible): Provider =>
  endpointProvider("openai-speech", {
    address: speechPlace(like),
    adaptBody: speechBody,
    streaming: {
      convertsStream: (requested) => ({
        contentType: getAudioType(requested, getFormat(requested)),
        newFrameSplitter: () => createAudioSplitter(requested),
      }),
    },
    newStreamReader: newAudioReader,
    // A stream is never JSON: a JSON response is an error.
    parseResponse(value) {
      throw minimaxFailure(parseObject(value)) ?? unreadableResponse();
    },
    parseError: (status, body) =>
      minimaxFailure(asObject(body) ?? {})?.upstream ?? readFailure(body) ?? statusFailure(status),
  });
