import type { Json } from "../../core/chat/chat.ts";
import { asCount, asList, asObject, parseJson } from "../../core/chat/json.ts";
import { embeddingList, getTexts } from "../shared/endpoints/embedding-list.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { parseUsage } from "../formats/openai/response/openai-usage.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { tencentFailure } from "./tencent-response.ts";
import { signTencent } from "./tencent-sign.ts";

/** There is one model, whose name is not sent. */
const embeddingBody = ({ input }: Json): Json => ({ InputList: getTexts(input) });

/** Hunyuan's GetEmbedding. */
export const tencentEmbeddings = (place: (target: Target) => Endpoint, parseError: Provider["parseError"]): Provider =>
  endpointProvider("openai-embeddings", {
    address: place,
    adaptBody: embeddingBody,
    auth: { sign: signTencent },
    finish({ body }, { target }) {
      const response = asObject(asObject(parseJson(body.toString("utf8")))?.["Response"]) ?? {};
      const failure = tencentFailure(response);
      if (failure) throw failure;
      if (!Array.isArray(response["Data"])) throw unreadableResponse();
      const data = asList(response["Data"]).map((value, index) => {
        const one = asObject(value);
        return { index: asCount(one?.["Index"] ?? index), embedding: one?.["Embedding"] };
      });
      const usage = asObject(response["Usage"]);
      return embeddingList(target.model, data, asCount(usage?.["PromptTokens"] ?? usage?.["TotalTokens"]));
    },
    parseResponse: parseUsage,
    parseError,
  });
