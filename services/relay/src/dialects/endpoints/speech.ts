import { textOfFields } from "../../metering/estimate.ts";
import { requireName } from "../fields.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { modelOf, promptOnlyFields } from "./endpoint-fields.ts";

const MODEL_DEFAULT = "tts-1";

/** OpenAI's speech: the answer is sound, which goes out as it comes. The older models are paid by the character. */
export const openAiSpeech = passThroughDialect("openai-speech", {
  readFields(body) {
    requireName(body["input"], "input");
    return { ...promptOnlyFields(modelOf(body, undefined, MODEL_DEFAULT)), stream: true };
  },
  prompt(body) {
    const input = textOfFields(body, ["input"]);
    if (!modelOf(body, undefined, MODEL_DEFAULT).startsWith("tts")) return input;
    return { text: "", extraTokens: Array.from(input.text).length, isExact: true };
  },
  promptOnly: true,
  answersBytes: true,
});
