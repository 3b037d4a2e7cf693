import type { Json } from "../../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../../core/chat/json.ts";
import { readFailure, statusFailure } from "../../shared/upstream-failure.ts";
import type { OpenAiCompatible } from "./openai-compatible.ts";
import { drop } from "../../shared/body-rules.ts";
import { createNamedChunks, addObjectField } from "./object-field.ts";
import type { AccountCapability, Provider } from "../../contract/provider.ts";
import type { Target } from "../../contract/target.ts";
import { openAiAddress, openAiModelList, openAiRealtime } from "./openai-address.ts";
import { openAiEndpoints } from "./openai-endpoints.ts";
import { applyModelRules } from "./openai-model-rules.ts";
import { buildOpenAiBody } from "./openai-request.ts";
import { parseOpenAiResponse } from "./response/openai-response.ts";
import { newOpenAiStreamReader } from "./response/openai-stream-reader.ts";

const withoutStreamOptions = drop("stream_options");

const readNames = (body: unknown): string[] =>
  asList(asObject(body)?.["data"]).flatMap((model) => asText(asObject(model)?.["id"]) ?? []);

/** Applies this provider's changes to a body, by its row and by the model's family. */
function adapt(like: OpenAiCompatible, body: Json, target: Target): Json {
  const taken = like.supportsStreamUsage ? body : withoutStreamOptions(body, target);
  const ruled = like.rules ? like.rules(taken, target) : taken;
  return applyModelRules(ruled, target.model);
}

function toAccount(row: OpenAiCompatible): AccountCapability {
  const { modelsPath, balance } = row;
  const models = modelsPath !== undefined && {
    modelList: (target: Target) => openAiModelList(row, modelsPath, target),
    parseModelList: row.parseModels ?? readNames,
  };
  return { ...models, ...(balance ? { balance } : {}) };
}

const toChatProvider = (like: OpenAiCompatible): Provider => ({
  name: like.name,
  wireFormat: "openai-chat",
  buildRequest(request, target) {
    const body = buildOpenAiBody(request, like, target);
    return { ...openAiAddress(like, target), json: like.rules ? like.rules(body, target) : body };
  },
  address: (target) => openAiAddress(like, target),
  adaptBody: (body, target) => adapt(like, body, target),
  streaming: {
    supportsStreamUsage: like.supportsStreamUsage,
    ...(like.addsObjectField ? { newFrameSplitter: createNamedChunks } : {}),
  },
  ...(like.addsObjectField ? { finish: addObjectField } : {}),
  ...(like.rewritesResponses === true ? { responses: { rewritesResponses: true } } : {}),
  ...(like.requiresInlineImages ? { requests: { requiresInlineImages: true } } : {}),
  parseResponse: (body) => parseOpenAiResponse(body, like),
  newStreamReader: () => newOpenAiStreamReader(like),
  parseError: like.parseError ?? ((status, body) => readFailure(body) ?? statusFailure(status)),
  account: toAccount(like),
  endpoints: openAiEndpoints(like),
  ...(like.realtime ? { realtime: openAiRealtime(like, like.realtime) } : {}),
});

/** A provider with OpenAI's chat completions format, configured by its row of settings. */
export function openAiCompatible(like: OpenAiCompatible): Provider {
  const chat = toChatProvider(like);
  const { rewritesResponses } = like;
  if (!(rewritesResponses instanceof RegExp)) return chat;
  const rewriting: Provider = { ...chat, responses: { rewritesResponses: true } };
  return { ...chat, forModel: (model) => (rewritesResponses.test(model) ? rewriting : chat) };
}
