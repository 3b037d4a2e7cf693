import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { WITHOUT_CHAT } from "../shared/endpoints/without-chat.ts";
import { readFailure, statusFailure } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import { parseUsage } from "../formats/openai/response/openai-usage.ts";
import { drop } from "../shared/body-rules.ts";
import type { Provider } from "../contract/provider.ts";

const BASE_URL = "https://api.moka.ai";

/** Moka's M3E: embeddings in OpenAI's format only. */
export const moka: Provider = {
  ...WITHOUT_CHAT,
  name: "moka",
  endpoints: {
    "openai-embeddings": endpointProvider("openai-embeddings", {
      address: ({ baseUrl, key }) => ({
        url: `${baseUrl || BASE_URL}/embeddings`,
        headers: { ...JSON_CONTENT, authorization: `Bearer ${key}` },
      }),
      adaptBody: drop("encoding_format"),
      parseResponse: parseUsage,
    }),
  },
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
};
