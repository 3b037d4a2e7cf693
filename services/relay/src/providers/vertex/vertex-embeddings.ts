import type { Json } from "../../core/chat/chat.ts";
import { asCount, asList, asNumber, asObject, compact, parseJson } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { embeddingList, getTexts } from "../shared/endpoints/embedding-list.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { parseUsage } from "../formats/openai/response/openai-usage.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";

/** Accepts one text per call, where earlier models accept many. */
const readsOne = (model: string): boolean => model.startsWith("gemini-embedding");

function embeddingBody({ input, dimensions }: Json, model: string): Json {
  const texts = getTexts(input);
  if (readsOne(model) && texts.length > 1) {
    const why = `the model ${model} reads one text a call on this channel`;
    throw new RelayError("invalid_request", why, { param: "input" });
  }
  return compact({
    instances: texts.map((content) => ({ content })),
    parameters: dimensions === undefined ? undefined : { outputDimensionality: asNumber(dimensions) },
  });
}

/** Embeddings on Vertex AI: predictions, each with its token count. */
export const vertexEmbeddings = (place: (target: Target) => Endpoint, parseError: Provider["parseError"]): Provider =>
  endpointProvider("openai-embeddings", {
    address: place,
    adaptBody: (body, { model }) => embeddingBody(body, model),
    finish({ body }, { target }) {
      const response = asObject(parseJson(body.toString("utf8")));
      if (!Array.isArray(response?.["predictions"])) throw unreadableResponse();
      const vectors = asList(response["predictions"]).map((one) => asObject(asObject(one)?.["embeddings"]) ?? {});
      const tokens = vectors.map((vector) => asCount(asObject(vector["statistics"])?.["token_count"]));
      return embeddingList(
        target.model,
        vectors.map(({ values }, index) => ({ index, embedding: values })),
        tokens.reduce((sum, count) => sum + count, 0),
      );
    },
    parseResponse: parseUsage,
    parseError,
  });
