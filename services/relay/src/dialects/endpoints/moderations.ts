import { textOfFields } from "../../accounting/tokens/token-estimate.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { modelOf, promptOnlyFields, requireContent } from "./endpoint-fields.ts";

const MODEL_DEFAULT = "text-moderation-stable";

/** OpenAI's moderations. */
export const openAiModerations = passThroughDialect(
  "openai-moderations",
  {
    readFields(body) {
      requireContent(body["input"], "input");
      return promptOnlyFields(modelOf(body, undefined, MODEL_DEFAULT));
    },
    prompt: (body) => textOfFields(body, ["input"]),
    promptOnly: true,
  },
  { passesBodyUnchanged: true },
);
