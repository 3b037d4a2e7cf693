import type { Json } from "../../core/chat/chat.ts";
import { asCount, asList, asObject, compact, parseJson } from "../../core/chat/json.ts";
import { embeddingList, getTexts } from "../shared/endpoints/embedding-list.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { asOpenAiEmbeddings } from "../shared/endpoints/google-embeddings.ts";
import { errorInside, unreadableResponse } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { openAiHeaders } from "../formats/openai/openai-address.ts";
import { parseUsage } from "../formats/openai/response/openai-usage.ts";
import type { EndpointProviders, ProcessedResponse, Provider, ProviderResponse } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";

const embeddingBody = ({ input, dimensions }: Json, model: string): Json =>
  compact({ model, input: getTexts(input), dimensions });

/** One vector per input; `prompt_eval_count` is the total of tokens read. */
function listEmbeddings({ body }: ProviderResponse, { target }: { readonly target: Target }): ProcessedResponse {
  const response = asObject(parseJson(body.toString("utf8")));
  if (response?.["error"]) throw errorInside(response);
  if (!Array.isArray(response?.["embeddings"])) throw unreadableResponse();
  const data = asList(response["embeddings"]).map((embedding, index) => ({ index, embedding }));
  return embeddingList(target.model, data, asCount(response["prompt_eval_count"]));
}

/**
 * Ollama's own embeddings (github.com/ollama/ollama, docs/api.md: generate embeddings), for OpenAI and Google callers.
 */
export function ollamaEmbeddings(like: OpenAiCompatible): EndpointProviders {
  const made = (format: EndpointFormat, asOpenAi: (body: Json, model: string) => Json): Provider =>
    endpointProvider(format, {
      address: (target) => ({
        url: `${(target.baseUrl || like.baseUrl).replace(/\/v1$/, "")}/api/embed`,
        headers: { ...JSON_CONTENT, ...openAiHeaders(like, target) },
      }),
      adaptBody: (body, { model }) => embeddingBody(asOpenAi(body, model), model),
      finish: listEmbeddings,
      parseResponse: parseUsage,
    });
  return {
    "openai-embeddings": made("openai-embeddings", (body) => body),
    "gemini-embed": made("gemini-embed", asOpenAiEmbeddings),
    "gemini-batch-embed": made("gemini-batch-embed", asOpenAiEmbeddings),
  };
}
