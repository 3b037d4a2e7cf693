import type { Json, ReportedUsage } from "../../core/chat/chat.ts";
import { asCount, asNumber, asObject, asText, compact, parseJson, pick } from "../../core/chat/json.ts";
import { answerOf, endpointProvider } from "../endpoints/endpoint-provider.ts";
import {
  isWav,
  noSound,
  OPENAI_SAMPLES,
  samplesOfWav,
  soundDelta,
  soundDone,
  type SoundFormat,
  soundType,
  usageOfCharacters,
  wantsEvents,
  wavHeader,
} from "../endpoints/sound-forms.ts";
import { speedOf, voiceOf } from "../endpoints/speech-fields.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/headers.ts";
import type { OpenAiLike } from "../registry/openai-compatible.ts";
import { readInputOutputUsage } from "../openai/openai-image-answer.ts";
import type { FinishedAnswer, PostProcessing, Provider, Target } from "../contract/provider.ts";
import { authHeaders, baseOf, failureOfAli } from "./ali-service.ts";

const QWEN_TTS = "/api/v1/services/aigc/multimodal-generation/generation";
const SYNTHESIZER = "/api/v1/services/audio/tts/SpeechSynthesizer";
/** These are spoken to at a service of their own, which makes several formats; the others speak WAV alone. */
const AT_SYNTHESIZER = /^(cosyvoice|qwen-audio)/;
const SYNTHESIZED: ReadonlySet<string> = new Set<SoundFormat>(["mp3", "opus", "wav", "pcm"]);
/** Told how to speak, where the others refuse to be. */
const TAKES_INSTRUCTIONS = /instruct/;
/** What the services know beside OpenAI's fields, by the name it has there. */
const QWEN_FIELDS = ["language_type", "optimize_instructions"] as const;
const SYNTHESIZER_FIELDS = ["language_hints", "volume", "pitch", "bit_rate", "seed", "enable_ssml"] as const;

function formatOf(body: Json, model: string): SoundFormat {
  const asked = asText(body["response_format"]) ?? "mp3";
  if (AT_SYNTHESIZER.test(model)) return SYNTHESIZED.has(asked) ? (asked as SoundFormat) : "mp3";
  return asked === "pcm" ? "pcm" : "wav";
}

const qwenInput = (body: Json, model: string): Json =>
  compact({
    text: body["input"],
    voice: voiceOf(body),
    language_type: body["language"],
    instructions: TAKES_INSTRUCTIONS.test(model) ? body["instructions"] : undefined,
    ...pick(body, QWEN_FIELDS),
  });

const synthesizerInput = (body: Json, model: string): Json =>
  compact({
    text: body["input"],
    voice: voiceOf(body),
    format: formatOf(body, model),
    sample_rate: asNumber(body["sample_rate"]) ?? OPENAI_SAMPLES.sampleRate,
    rate: speedOf(body),
    language_hints: body["language"] === undefined ? undefined : [body["language"]],
    instruction: body["instructions"],
    ...pick(body, SYNTHESIZER_FIELDS),
  });

const speechBody = (body: Json, { model }: Target): Json => ({
  model,
  input: AT_SYNTHESIZER.test(model) ? synthesizerInput(body, model) : qwenInput(body, model),
});

/** What an answer says is charged: characters, or of the first models tokens. */
const usageOf = (value: unknown): ReportedUsage =>
  usageOfCharacters(asCount(asObject(value)?.["characters"])) ?? readInputOutputUsage(value);

/** The sound of an answer, which lies at an address or stands in it. Throws StreamFailure where there is none. */
async function soundOf(answer: Json, { fetchFile }: PostProcessing): Promise<Buffer> {
  const audio = asObject(asObject(answer["output"])?.["audio"]);
  const data = asText(audio?.["data"]);
  if (data) return Buffer.from(data, "base64");
  const url = asText(audio?.["url"]);
  if (!url)
    throw asText(answer["code"]) ? failureOfAli(answer, "upstream answered with an error") : unreadableResponse();
  return fetchFile(url);
}

/** The sound in the format that the caller is told it has: what stands in an answer may be bare samples. */
function inFormat(sound: Buffer, format: SoundFormat): Buffer {
  if (format === "pcm") return samplesOfWav(sound);
  return format === "wav" && !isWav(sound) ? Buffer.concat([wavHeader(OPENAI_SAMPLES, sound.length), sound]) : sound;
}

async function finishSpeech(
  sent: Buffer,
  asked: Json,
  model: string,
  postProcessing: PostProcessing,
): Promise<FinishedAnswer> {
  const answer = asObject(parseJson(sent.toString("utf8"))) ?? {};
  const format = formatOf(asked, model);
  const came = await soundOf(answer, postProcessing);
  const sound = came.length === 0 ? came : inFormat(came, format);
  if (sound.length === 0) throw noSound();
  const usage = usageOf(answer["usage"]);
  return {
    body: wantsEvents(asked) ? Buffer.concat([soundDelta(sound), soundDone(usage)]) : sound,
    contentType: soundType(asked, format),
    response: answerOf(usage),
  };
}

/**
 * OpenAI's speech on DashScope, whose answers name the address of the sound (alibabacloud.com/help/en/model-studio: qwen-tts-api;
 * cosyvoice-tts-http-api and qwen-audio-tts-http-api for the models of the other service).
 */
export const aliSpeech = (like: OpenAiLike): Provider =>
  endpointProvider("openai-speech", {
    address: (target) => ({
      url: `${baseOf(like, target)}${AT_SYNTHESIZER.test(target.model) ? SYNTHESIZER : QWEN_TTS}`,
      headers: { ...JSON_CONTENT, ...authHeaders(target) },
    }),
    adaptBody: speechBody,
    makesBytes: true,
    finish: ({ body }, { body: asked, target }, postProcessing) =>
      finishSpeech(body, asked, target.model, postProcessing),
    // What is made is sound, of which nothing is read.
    parseResponse() {
      throw unreadableResponse();
    },
  });
