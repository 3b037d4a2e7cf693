import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import { audioSeconds, toAudioTokens } from "../../accounting/tokens/audio-seconds.ts";
import type { PromptText } from "../../core/call/dialect.ts";
import { invalidField } from "../shared/fields.ts";
import { passThroughDialect, type PassThroughRules } from "./endpoint-dialect.ts";
import { getModel, promptOnlyFields } from "./endpoint-fields.ts";

const MODEL_DEFAULT = "whisper-1";

/** The bytes of the recording; undefined if no file was sent. */
function getRecording(body: Json): Buffer | undefined {
  const content = asObject(body["file"])?.["content"];
  return Buffer.isBuffer(content) && content.length > 0 ? content : undefined;
}

/** Computed once per recording: some formats store the duration at the end of the file. */
const prompts = new WeakMap<Buffer, PromptText>();

function getPrompt(body: Json): PromptText {
  const recording = getRecording(body);
  if (!recording) return { text: "", extraTokens: 0 };
  const known = prompts.get(recording);
  if (known) return known;
  const { seconds, isExact } = audioSeconds(recording);
  const prompt = { text: "", extraTokens: toAudioTokens(seconds), isExact, seconds: Math.ceil(seconds) };
  prompts.set(recording, prompt);
  return prompt;
}

const rules: PassThroughRules = {
  readFields(body) {
    const model = getModel(body, undefined, MODEL_DEFAULT);
    if (!getRecording(body)) throw invalidField("file", "must be a file of a multipart form");
    // Whisper accepts the stream parameter but does not stream.
    const stream = body["stream"] === "true" && !model.startsWith("whisper");
    return { ...promptOnlyFields(model), stream };
  },
  prompt: getPrompt,
  promptOnly: true,
  takesForm: true,
  returnsText: true,
};

/**
 * OpenAI's transcriptions: a multipart form in, JSON or plain text out. Priced by the recording's duration if upstream
 * reports no tokens.
 */
export const openAiTranscriptions = passThroughDialect("openai-transcriptions", rules);

/** OpenAI's translations to English. */
export const openAiTranslations = passThroughDialect("openai-translations", rules);
