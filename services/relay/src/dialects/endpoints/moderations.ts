import { collectFieldText } from "../../accounting/tokens/token-estimate.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { getModel, promptOnlyFields, requireContent } from "./endpoint-fields.ts";

const MODEL_DEFAULT = "text-moderation-stable";

/** OpenAI's moderations. */
export const openAiModerations = passThroughDialect(
  "openai-moderations",
  {
    readFields(body) {
      requireContent(body["input"], "input");
      return promptOnlyFields(getModel(body, undefined, MODEL_DEFAULT));
    },
    prompt: (body) => collectFieldText(body, ["input"]),
    promptOnly: true,
  },
  { passesBodyUnchanged: true },
);
