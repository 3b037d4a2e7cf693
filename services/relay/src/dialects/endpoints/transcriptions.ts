import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import { audioSeconds, tokensOfSeconds } from "../../accounting/tokens/audio-seconds.ts";
import type { PromptText } from "../../core/call/dialect.ts";
import type { EndpointRules } from "../../core/call/dialect.ts";
import { invalidField } from "../shared/fields.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { modelOf, promptOnlyFields } from "./endpoint-fields.ts";

const MODEL_DEFAULT = "whisper-1";

/** The recording's bytes; undefined where no file was sent. */
function recordingOf(body: Json): Buffer | undefined {
  const content = asObject(body["file"])?.["content"];
  return Buffer.isBuffer(content) && content.length > 0 ? content : undefined;
}

/** Read once for each recording: the length of some stands at their very end. */
const prompts = new WeakMap<Buffer, PromptText>();

function promptOf(body: Json): PromptText {
  const recording = recordingOf(body);
  if (!recording) return { text: "", extraTokens: 0 };
  const known = prompts.get(recording);
  if (known) return known;
  const { seconds, isExact } = audioSeconds(recording);
  const prompt = { text: "", extraTokens: tokensOfSeconds(seconds), isExact };
  prompts.set(recording, prompt);
  return prompt;
}

const rules: Omit<EndpointRules, "servedByChat"> = {
  readFields(body) {
    const model = modelOf(body, undefined, MODEL_DEFAULT);
    if (!recordingOf(body)) throw invalidField("file", "must be a file of a multipart form");
    // Whisper takes the question and does not stream.
    const stream = body["stream"] === "true" && !model.startsWith("whisper");
    return { ...promptOnlyFields(model), stream };
  },
  prompt: promptOf,
  promptOnly: true,
  takesForm: true,
  answersText: true,
};

/** OpenAI's transcriptions: a multipart form in, JSON or plain text out. Paid by the length of the recording where upstream tells no tokens. */
export const openAiTranscriptions = passThroughDialect("openai-transcriptions", rules);

/** The same towards English. */
export const openAiTranslations = passThroughDialect("openai-translations", rules);
