import type { Json } from "../../core/chat/chat.ts";
import { asObject, compact, parseJson } from "../../core/chat/json.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { jsonResponse, JSON_CONTENT } from "../shared/json-content.ts";
import { parseRerank } from "../shared/endpoints/rerank-response.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import type { Provider } from "../contract/provider.ts";
import { authHeaders, getBase, toAliFailure } from "./ali-service.ts";

const rerankBody = ({ query, documents, top_n, return_documents, instruct }: Json, model: string): Json => ({
  model,
  input: { query, documents },
  parameters: compact({ top_n, return_documents, instruct }),
});

/** Jina's rerank on DashScope, whose own format separates input, parameters and output. */
export const aliRerank = (like: OpenAiCompatible): Provider =>
  endpointProvider("rerank", {
    address: (target) => ({
      url: `${getBase(like, target)}/api/v1/services/rerank/text-rerank/text-rerank`,
      headers: { ...JSON_CONTENT, ...authHeaders(target) },
    }),
    adaptBody: (body, { model }) => rerankBody(body, model),
    finish({ body }, { target }) {
      const response = asObject(parseJson(body.toString("utf8"))) ?? {};
      const results = asObject(response["output"])?.["results"];
      if (!Array.isArray(results)) {
        throw response["code"] ? toAliFailure(response, "upstream returned an error") : unreadableResponse();
      }
      return jsonResponse(compact({ model: target.model, results: results as unknown[], usage: response["usage"] }));
    },
    parseResponse: parseRerank,
  });
