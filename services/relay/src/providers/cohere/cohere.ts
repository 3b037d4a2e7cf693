import { asList, asObject, asText } from "../../core/chat/json.ts";
import { readFailure, statusFailure } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { parseRerank } from "../shared/endpoints/rerank-response.ts";
import { drop } from "../shared/body-rules.ts";
import { parseCohereResponse } from "./cohere-response.ts";
import { cohereEmbeddings } from "./cohere-embeddings.ts";
import { buildCohereBody } from "./cohere-request.ts";
import { newCohereStreamReader } from "./cohere-stream-reader.ts";

const BASE_URL = "https://api.cohere.ai";

const getBase = ({ baseUrl }: Target): string => (baseUrl || BASE_URL).replace(/\/v[12]$/, "");
const authHeaders = ({ key }: Target) => ({ authorization: `Bearer ${key}` });

const place = (target: Target, path: string): Endpoint => ({
  url: `${getBase(target)}${path}`,
  headers: { ...JSON_CONTENT, ...authHeaders(target) },
});

const withoutQuestion = drop("return_documents");

/** In version 2 documents are never returned; the field is refused, and only texts are accepted. */
const rerank = endpointProvider("rerank", {
  address: (target) => place(target, "/v2/rerank"),
  adaptBody(body, target) {
    const documents = asList(body["documents"]);
    const texts = documents.map((document) => asText(asObject(document)?.["text"]) ?? document);
    const isChanged = texts.some((text, index) => text !== documents[index]);
    return withoutQuestion(isChanged ? { ...body, documents: texts } : body, target);
  },
  parseResponse: parseRerank,
});

const address = (target: Target): Endpoint => ({
  url: `${getBase(target)}/v2/chat`,
  headers: { ...JSON_CONTENT, ...authHeaders(target) },
});

/** Cohere's own chat format, version 2. */
export const cohere: Provider = {
  name: "cohere",
  wireFormat: "own",
  buildRequest: (request, target) => ({ ...address(target), json: buildCohereBody(request, target.model) }),
  address,
  parseResponse: parseCohereResponse,
  newStreamReader: newCohereStreamReader,
  endpoints: { rerank, ...cohereEmbeddings((target) => place(target, "/v2/embed")) },
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
  account: {
    modelList: (target) => ({ url: `${getBase(target)}/v1/models?page_size=1000`, headers: authHeaders(target) }),
    parseModelList: (body) =>
      asList(asObject(body)?.["models"]).flatMap((model) => asText(asObject(model)?.["name"]) ?? []),
  },
};
