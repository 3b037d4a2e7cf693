import { collectFieldText } from "../../accounting/tokens/token-estimate.ts";
import { requireName } from "../shared/fields.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { getModel, promptOnlyFields } from "./endpoint-fields.ts";

const MODEL_DEFAULT = "tts-1";
/** OpenAI's older models, MiniMax's models and most of DashScope's are priced by character. */
const BY_CHARACTER = /^(tts|speech-(01|02|2\.)|qwen3-tts|cosyvoice)/;
/** The other providers count some characters twice and report the count with the audio. */
const EACH_ONCE = /^tts/;

/** OpenAI's speech: the response is audio, passed through as it arrives. */
export const openAiSpeech = passThroughDialect("openai-speech", {
  readFields(body) {
    requireName(body["input"], "input");
    return { ...promptOnlyFields(getModel(body, undefined, MODEL_DEFAULT)), stream: true };
  },
  prompt(body) {
    const input = collectFieldText(body, ["input"]);
    const model = getModel(body, undefined, MODEL_DEFAULT);
    if (!BY_CHARACTER.test(model)) return input;
    return { text: "", extraTokens: Array.from(input.text).length, isExact: EACH_ONCE.test(model) };
  },
  promptOnly: true,
  returnsBytes: true,
});
