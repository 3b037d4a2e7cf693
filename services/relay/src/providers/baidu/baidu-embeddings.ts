import type { Json } from "../../core/chat/chat.ts";
import { asCount, asList, asObject, asText, parseJson } from "../../core/chat/json.ts";
import { embeddingList, getTexts } from "../shared/endpoints/embedding-list.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { parseUsage } from "../formats/openai/response/openai-usage.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { baiduFailure } from "./baidu-response.ts";

function embeddingBody({ input, user }: Json): Json {
  return { input: getTexts(input), ...(asText(user) ? { user_id: user } : {}) };
}

/** Wenxin's embeddings: a list of texts; failures have status 200. */
export const baiduEmbeddings = (place: (target: Target) => Endpoint, parseError: Provider["parseError"]): Provider =>
  endpointProvider("openai-embeddings", {
    address: place,
    adaptBody: embeddingBody,
    finish({ body }, { target }) {
      const response = asObject(parseJson(body.toString("utf8"))) ?? {};
      const failure = baiduFailure(response);
      if (failure) throw failure;
      if (!Array.isArray(response["data"])) throw unreadableResponse();
      const data = asList(response["data"]).map((value, index) => {
        const one = asObject(value);
        return { index: asCount(one?.["index"] ?? index), embedding: one?.["embedding"] };
      });
      return embeddingList(target.model, data, asCount(asObject(response["usage"])?.["prompt_tokens"]));
    },
    parseResponse: parseUsage,
    parseError,
  });
