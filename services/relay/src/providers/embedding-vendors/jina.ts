import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { parseRerank } from "../shared/endpoints/rerank-response.ts";
import { WITHOUT_CHAT } from "../shared/endpoints/without-chat.ts";
import { readFailure, statusFailure } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import { parseUsage } from "../formats/openai/response/openai-usage.ts";
import { drop } from "../shared/body-rules.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";

const BASE_URL = "https://api.jina.ai";

const place =
  (path: string) =>
  (target: Target): Endpoint => ({
    url: `${(target.baseUrl || BASE_URL).replace(/\/v1$/, "")}/v1${path}`,
    headers: { ...JSON_CONTENT, authorization: `Bearer ${target.key}` },
  });

/** Jina: embeddings and rerank. Errors are `{detail}`; rerank reports only a total. */
export const jina: Provider = {
  ...WITHOUT_CHAT,
  name: "jina",
  endpoints: {
    rerank: endpointProvider("rerank", { address: place("/rerank"), parseResponse: parseRerank }),
    "openai-embeddings": endpointProvider("openai-embeddings", {
      address: place("/embeddings"),
      adaptBody: drop("encoding_format"),
      parseResponse: parseUsage,
    }),
  },
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
};
