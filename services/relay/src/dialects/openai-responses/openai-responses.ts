import { asList } from "../../core/chat/json.ts";
import { textOfFields } from "../../accounting/tokens/token-estimate.ts";
import type { Dialect } from "../../core/call/dialect.ts";
import { writeOpenAiError } from "../openai-chat/openai-error.ts";
import { writeResponsesAnswer } from "./responses-object.ts";
import { ownFieldOf, parseResponsesRequest, readResponsesFields } from "./responses-request.ts";
import { isCustomTool } from "./custom-tools.ts";
import { isPlainSearch } from "./responses-web-search.ts";
import { newResponsesStreamWriter } from "./responses-stream.ts";

/** OpenAI's Responses API. Chat-only channels serve the fields that chat supports. */
export const openAiResponses: Dialect = {
  name: "openai-responses",
  passesBodyUnchanged: true,
  refersToItems: true,
  readFields: readResponsesFields,
  endpoint: {
    prompt: (body) => textOfFields(body, ["instructions", "input", "tools", "text"]),
    promptOnly: false,
    isServedByChat: true,
    ownField: ownFieldOf,
    isPartialOverChat: (body) => asList(body["tools"]).some((tool) => isPlainSearch(tool) || isCustomTool(tool)),
  },
  parseRequest: parseResponsesRequest,
  writeResponse: writeResponsesAnswer,
  newStreamWriter: newResponsesStreamWriter,
  writeError: writeOpenAiError,
};
