import { textOfFields } from "../../accounting/tokens/token-estimate.ts";
import { requireName } from "../shared/fields.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { modelOf, promptOnlyFields } from "./endpoint-fields.ts";

const MODEL_DEFAULT = "tts-1";
/** OpenAI's older models, those of MiniMax and most of DashScope's are paid by the character. */
const BY_CHARACTER = /^(tts|speech-(01|02|2\.)|qwen3-tts|cosyvoice)/;
/** The others count some characters twice, and tell so with the sound. */
const EACH_ONCE = /^tts/;

/** OpenAI's speech: the answer is sound, which goes out as it comes. */
export const openAiSpeech = passThroughDialect("openai-speech", {
  readFields(body) {
    requireName(body["input"], "input");
    return { ...promptOnlyFields(modelOf(body, undefined, MODEL_DEFAULT)), stream: true };
  },
  prompt(body) {
    const input = textOfFields(body, ["input"]);
    const model = modelOf(body, undefined, MODEL_DEFAULT);
    if (!BY_CHARACTER.test(model)) return input;
    return { text: "", extraTokens: Array.from(input.text).length, isExact: EACH_ONCE.test(model) };
  },
  promptOnly: true,
  answersBytes: true,
});
