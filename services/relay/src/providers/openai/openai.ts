import { asList, asObject, asText } from "../../chat/json.ts";
import { readFailure, statusFailure } from "../failure.ts";
import type { OpenAiLike } from "../openai-likes.ts";
import type { Provider } from "../provider.ts";
import { openAiAddress, openAiModelList } from "./openai-address.ts";
import { applyModelRules } from "./openai-model-rules.ts";
import { buildOpenAiBody } from "./openai-request.ts";
import { parseOpenAiResponse } from "./openai-response.ts";
import { newOpenAiStreamReader } from "./openai-stream-reader.ts";

/** A provider of OpenAI's chat completions format, by its row of settings. */
export const openAiCompatible = (like: OpenAiLike): Provider => ({
  name: like.name,
  wireFormat: "openai-chat",
  buildRequest: (request, target) => ({
    ...openAiAddress(like, target),
    json: buildOpenAiBody(request, like, target.model),
  }),
  address: (target) => openAiAddress(like, target),
  adaptBody: (body, target) => applyModelRules(body, target.model),
  parseResponse: parseOpenAiResponse,
  newStreamReader: newOpenAiStreamReader,
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
  modelList: (target) => openAiModelList(like, target),
  parseModelList: (body) => asList(asObject(body)?.["data"]).flatMap((model) => asText(asObject(model)?.["id"]) ?? []),
  defaultModels: like.defaultModels,
});
