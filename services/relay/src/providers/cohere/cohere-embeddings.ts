import type { Json } from "../../core/chat/chat.ts";
import { getEmbeddingRequests } from "../../core/vendors/gemini-embedding-requests.ts";
import { asCount, asList, asObject, asText, compact, parseJson } from "../../core/chat/json.ts";
import { embeddingList, getTexts } from "../shared/endpoints/embedding-list.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { asOpenAiEmbeddings } from "../shared/endpoints/google-embeddings.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { parseUsage } from "../formats/openai/response/openai-usage.ts";
import type { EndpointProviders, ProcessedResponse, Endpoint, ProviderResponse } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";

/** Cohere requires the purpose of the texts; callers who state none mostly store them. */
const INPUT_TYPE_DEFAULT = "search_document";
/** Google's task types (ai.google.dev, TaskType). */
const INPUT_TYPES: Readonly<Record<string, string>> = {
  RETRIEVAL_QUERY: "search_query",
  CODE_RETRIEVAL_QUERY: "search_query",
  QUESTION_ANSWERING: "search_query",
  FACT_VERIFICATION: "search_query",
  CLASSIFICATION: "classification",
  CLUSTERING: "clustering",
};

const embeddingBody = ({ input, dimensions, input_type, truncate }: Json, model: string): Json =>
  compact({
    model,
    texts: getTexts(input),
    input_type: asText(input_type) ?? INPUT_TYPE_DEFAULT,
    embedding_types: ["float"],
    output_dimension: dimensions,
    truncate,
  });

function finish({ body }: ProviderResponse, { target }: { readonly target: Target }): ProcessedResponse {
  const response = asObject(parseJson(body.toString("utf8")));
  const vectors = asObject(response?.["embeddings"])?.["float"];
  if (!Array.isArray(vectors)) throw unreadableResponse();
  const billed = asObject(asObject(response?.["meta"])?.["billed_units"]);
  const data = asList(vectors).map((embedding, index) => ({ index, embedding }));
  return embeddingList(target.model, data, asCount(billed?.["input_tokens"]));
}

/** Cohere's embeddings, version 2 (docs.cohere.com/v2/reference/embed), for OpenAI and Google callers. */
export function cohereEmbeddings(address: (target: Target) => Endpoint): EndpointProviders {
  const own = { address, finish, parseResponse: parseUsage };
  const google = {
    ...own,
    adaptBody(body: Json, { model }: Target): Json {
      const input_type = INPUT_TYPES[asText(getEmbeddingRequests(body)[0]?.["taskType"]) ?? ""];
      return embeddingBody({ ...asOpenAiEmbeddings(body, model), input_type }, model);
    },
  };
  return {
    "openai-embeddings": endpointProvider("openai-embeddings", {
      ...own,
      adaptBody: (body, { model }) => embeddingBody(body, model),
    }),
    "gemini-embed": endpointProvider("gemini-embed", google),
    "gemini-batch-embed": endpointProvider("gemini-batch-embed", google),
  };
}
