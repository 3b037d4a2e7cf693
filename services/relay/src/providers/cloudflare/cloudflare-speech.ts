import type { Json } from "../../core/chat/chat.ts";
import { asNumber, asObject, asObjects, asText, compact } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { type Cue, type Transcript, writeTranscript } from "../shared/endpoints/transcript-formats.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { parseTranscript } from "../formats/openai/response/openai-transcript.ts";
import { cloudflareError } from "./cloudflare-api.ts";
import type { Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { parseResult, getRunEndpoint } from "./cloudflare-run.ts";

type Task = "transcribe" | "translate";

/** Words per cue if upstream reports words and no segments. */
const CUE_WORDS = 10;

/** Takes JSON with the recording in base64 and the caller's options; the other models take only the bytes. */
const takesJson = (model: string): boolean => model.includes("whisper-large");

function getRecording(fields: Json): Buffer {
  const content = asObject(fields["file"])?.["content"];
  return Buffer.isBuffer(content) ? content : Buffer.alloc(0);
}

const word = (value: unknown): string | undefined => asText(value) || undefined;

function writeBody(task: Task, fields: Json, { model }: Target) {
  const recording = getRecording(fields);
  if (takesJson(model)) {
    const body = compact({
      audio: recording.toString("base64"),
      task,
      language: word(fields["language"]),
      initial_prompt: word(fields["prompt"]),
    });
    return { headers: JSON_CONTENT, body: JSON.stringify(body) };
  }
  if (task === "translate") {
    throw new RelayError("invalid_request", `the model ${model} does not support translations`, { param: "model" });
  }
  return { headers: { "content-type": "application/octet-stream" }, body: recording };
}

const getCue = (value: Json): Cue => ({
  start: asNumber(value["start"]) ?? 0,
  end: asNumber(value["end"]) ?? 0,
  text: asText(value["text"]) ?? asText(value["word"]) ?? "",
});

/** Groups words into cues, for upstreams that report no segments. */
function rows(words: readonly Json[]): Cue[] {
  const cues: Cue[] = [];
  for (let at = 0; at < words.length; at += CUE_WORDS) {
    const row = words.slice(at, at + CUE_WORDS).map(getCue);
    const text = row.map((cue) => cue.text.trim()).join(" ");
    cues.push({ start: row[0]?.start ?? 0, end: row.at(-1)?.end ?? 0, text });
  }
  return cues;
}

function getSegment(value: Json, id: number): Json {
  const figure = (name: string): number => asNumber(value[name]) ?? 0;
  return {
    id,
    seek: 0,
    ...getCue(value),
    tokens: [],
    temperature: figure("temperature"),
    avg_logprob: figure("avg_logprob"),
    compression_ratio: figure("compression_ratio"),
    no_speech_prob: figure("no_speech_prob"),
  };
}

function getCues(text: string, segments: readonly Json[], words: readonly Json[], end: number): Cue[] {
  if (segments.length > 0) return segments.map(getCue);
  if (words.length > 0) return rows(words);
  return text === "" ? [] : [{ start: 0, end, text }];
}

function readTranscript(result: Json, fields: Json): Transcript {
  const text = asText(result["text"]);
  if (text === undefined) throw unreadableResponse();
  const info = asObject(result["transcription_info"]);
  const segments = asObjects(result["segments"]);
  const own = asObjects(result["words"]);
  const words = own.length > 0 ? own : segments.flatMap((segment) => asObjects(segment["words"]));
  const durationSeconds = asNumber(info?.["duration"]);
  return {
    text: text.trim(),
    language: word(info?.["language"]) ?? word(fields["language"]),
    durationSeconds,
    cues: getCues(text, segments, words, durationSeconds ?? 0),
    segments: segments.length > 0 ? segments.map(getSegment) : undefined,
    words: words.length > 0 ? words.map(({ word: request, start, end }) => ({ word: request, start, end })) : undefined,
  };
}

/** OpenAI's transcriptions and translations with the whisper models of Workers AI. */
export const cloudflareSpeech = (
  like: OpenAiCompatible,
  format: "openai-transcriptions" | "openai-translations",
): Provider => {
  const task = format === "openai-translations" ? "translate" : "transcribe";
  return endpointProvider(format, {
    address: getRunEndpoint(like),
    requests: { writeBody: (fields, target) => writeBody(task, fields, target) },
    finish: ({ body }, requested) =>
      writeTranscript(readTranscript(parseResult(body), requested.body), requested.body["response_format"], task),
    responses: { returnsText: true },
    parseResponse: parseTranscript,
    parseError: cloudflareError,
  });
};
