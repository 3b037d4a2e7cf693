import type { Json } from "../../core/chat/chat.ts";
import { asCount, asList, asObject, parseJson } from "../../core/chat/json.ts";
import { embeddingList, textsOf } from "../shared/endpoints/embedding-list.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { parseUsage } from "../formats/openai/openai-usage.ts";
import type { Endpoint, Provider, Target } from "../contract/provider.ts";
import { tencentFailure } from "./tencent-answer.ts";
import { signTencent } from "./tencent-sign.ts";

/** There is one model, whose name is not sent. */
const embeddingBody = ({ input }: Json): Json => ({ InputList: textsOf(input) });

/** Hunyuan's GetEmbedding. */
export const tencentEmbeddings = (place: (target: Target) => Endpoint, parseError: Provider["parseError"]): Provider =>
  endpointProvider("openai-embeddings", {
    address: place,
    adaptBody: embeddingBody,
    auth: { sign: signTencent },
    finish({ body }, { target }) {
      const answer = asObject(asObject(parseJson(body.toString("utf8")))?.["Response"]) ?? {};
      const failure = tencentFailure(answer);
      if (failure) throw failure;
      if (!Array.isArray(answer["Data"])) throw unreadableResponse();
      const data = asList(answer["Data"]).map((value, index) => {
        const one = asObject(value);
        return { index: asCount(one?.["Index"] ?? index), embedding: one?.["Embedding"] };
      });
      const usage = asObject(answer["Usage"]);
      return embeddingList(target.model, data, asCount(usage?.["PromptTokens"] ?? usage?.["TotalTokens"]));
    },
    parseResponse: parseUsage,
    parseError,
  });
