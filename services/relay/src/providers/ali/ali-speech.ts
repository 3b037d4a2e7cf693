import type { Json, ReportedUsage } from "../../core/chat/chat.ts";
import { asCount, asNumber, asObject, asText, compact, parseJson, pick } from "../../core/chat/json.ts";
import { toResponse, endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import {
  isWav,
  noAudio,
  OPENAI_SAMPLES,
  getWavSamples,
  audioDelta,
  audioDone,
  type AudioFormat,
  getAudioType,
  toCharacterUsage,
  requestsEvents,
  wavHeader,
} from "../shared/endpoints/audio-formats.ts";
import { parseSpeed, getVoice } from "../shared/endpoints/speech-fields.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { readInputOutputUsage } from "../formats/openai/response/openai-image-response.ts";
import type { ProcessedResponse, PostProcessing, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { authHeaders, getBase, toAliFailure } from "./ali-service.ts";

const QWEN_TTS = "/api/v1/services/aigc/multimodal-generation/generation";
const SYNTHESIZER = "/api/v1/services/audio/tts/SpeechSynthesizer";
/** These models have a service of their own that supports several formats; the others return WAV only. */
const AT_SYNTHESIZER = /^(cosyvoice|qwen-audio)/;
const SYNTHESIZED: ReadonlySet<string> = new Set<AudioFormat>(["mp3", "opus", "wav", "pcm"]);
/** Models that accept speaking instructions; others refuse them. */
const TAKES_INSTRUCTIONS = /instruct/;
/** The services' parameters besides OpenAI's fields, by their own names. */
const QWEN_FIELDS = ["language_type", "optimize_instructions"] as const;
const SYNTHESIZER_FIELDS = ["language_hints", "volume", "pitch", "bit_rate", "seed", "enable_ssml"] as const;

function getFormat(body: Json, model: string): AudioFormat {
  const requested = asText(body["response_format"]) ?? "mp3";
  if (AT_SYNTHESIZER.test(model)) return SYNTHESIZED.has(requested) ? (requested as AudioFormat) : "mp3";
  return requested === "pcm" ? "pcm" : "wav";
}

const qwenInput = (body: Json, model: string): Json =>
  compact({
    text: body["input"],
    voice: getVoice(body),
    language_type: body["language"],
    instructions: TAKES_INSTRUCTIONS.test(model) ? body["instructions"] : undefined,
    ...pick(body, QWEN_FIELDS),
  });

const synthesizerInput = (body: Json, model: string): Json =>
  compact({
    text: body["input"],
    voice: getVoice(body),
    format: getFormat(body, model),
    sample_rate: asNumber(body["sample_rate"]) ?? OPENAI_SAMPLES.sampleRate,
    rate: parseSpeed(body),
    language_hints: body["language"] === undefined ? undefined : [body["language"]],
    instruction: body["instructions"],
    ...pick(body, SYNTHESIZER_FIELDS),
  });

const speechBody = (body: Json, { model }: Target): Json => ({
  model,
  input: AT_SYNTHESIZER.test(model) ? synthesizerInput(body, model) : qwenInput(body, model),
});

/** The reported usage: characters, or tokens for the first models. */
const getUsage = (value: unknown): ReportedUsage =>
  toCharacterUsage(asCount(asObject(value)?.["characters"])) ?? readInputOutputUsage(value);

/** The audio of a response, at a URL or inline. Throws StreamFailure if there is none. */
async function getAudio(response: Json, { fetchFile }: PostProcessing): Promise<Buffer> {
  const audio = asObject(asObject(response["output"])?.["audio"]);
  const data = asText(audio?.["data"]);
  if (data) return Buffer.from(data, "base64");
  const url = asText(audio?.["url"]);
  if (!url)
    throw asText(response["code"]) ? toAliFailure(response, "upstream returned an error") : unreadableResponse();
  return fetchFile(url);
}

/** The audio in the announced format: inline audio may be raw samples. */
function inFormat(audio: Buffer, format: AudioFormat): Buffer {
  if (format === "pcm") return getWavSamples(audio);
  return format === "wav" && !isWav(audio) ? Buffer.concat([wavHeader(OPENAI_SAMPLES, audio.length), audio]) : audio;
}

async function finishSpeech(
  sent: Buffer,
  requested: Json,
  model: string,
  postProcessing: PostProcessing,
): Promise<ProcessedResponse> {
  const response = asObject(parseJson(sent.toString("utf8"))) ?? {};
  const format = getFormat(requested, model);
  const came = await getAudio(response, postProcessing);
  const audio = came.length === 0 ? came : inFormat(came, format);
  if (audio.length === 0) throw noAudio();
  const usage = getUsage(response["usage"]);
  return {
    body: requestsEvents(requested) ? Buffer.concat([audioDelta(audio), audioDone(usage)]) : audio,
    contentType: getAudioType(requested, format),
    response: toResponse(usage),
  };
}

/**
 * OpenAI's speech on DashScope, whose responses contain the URL of the audio (alibabacloud.com/help/en/model-studio:
 * qwen-tts-api; cosyvoice-tts-http-api and qwen-audio-tts-http-api for the models of the other service).
 */
export const aliSpeech = (like: OpenAiCompatible): Provider =>
  endpointProvider("openai-speech", {
    address: (target) => ({
      url: `${getBase(like, target)}${AT_SYNTHESIZER.test(target.model) ? SYNTHESIZER : QWEN_TTS}`,
      headers: { ...JSON_CONTENT, ...authHeaders(target) },
    }),
    adaptBody: speechBody,
    responses: { returnsBytesOnly: true },
    finish: ({ body }, { body: requested, target }, postProcessing) =>
      finishSpeech(body, requested, target.model, postProcessing),
    // The output is audio, which is not parsed.
    parseResponse() {
      throw unreadableResponse();
    },
  });
