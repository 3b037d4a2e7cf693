import { asList, asObject, asText } from "../../core/chat/json.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { adaptAnthropicBody } from "../formats/anthropic/anthropic-adapt.ts";
import { behaviourHeaders } from "../formats/anthropic/anthropic-headers.ts";
import { buildAnthropicBody } from "../formats/anthropic/anthropic-request.ts";
import { parseAnthropicError } from "../formats/anthropic/anthropic-failure.ts";
import { parseAnthropicResponse } from "../formats/anthropic/anthropic-response.ts";
import { newAnthropicStreamReader } from "../formats/anthropic/anthropic-stream-reader.ts";

const BASE_URL = "https://api.anthropic.com";
const API_VERSION = "2023-06-01";

const getBase = ({ baseUrl }: Target): string => (baseUrl || BASE_URL).replace(/\/v1$/, "");

const authHeaders = (target: Target): Record<string, string> => ({
  ...behaviourHeaders(target),
  "x-api-key": target.key,
  "anthropic-version": target.clientHeaders["anthropic-version"] || API_VERSION,
});

const address = (target: Target) => ({
  url: `${getBase(target)}/v1/messages`,
  headers: { ...JSON_CONTENT, ...authHeaders(target) },
});

/** Anthropic's Messages API. */
export const anthropic: Provider = {
  name: "anthropic",
  wireFormat: "anthropic-messages",
  buildRequest: (request, target) => ({ ...address(target), json: buildAnthropicBody(request, target) }),
  address,
  adaptBody: adaptAnthropicBody,
  requests: { keepsInstructions: true },
  parseResponse: parseAnthropicResponse,
  newStreamReader: newAnthropicStreamReader,
  parseError: parseAnthropicError,
  account: {
    modelList: (target) => ({ url: `${getBase(target)}/v1/models?limit=1000`, headers: authHeaders(target) }),
    parseModelList: (body) =>
      asList(asObject(body)?.["data"]).flatMap((model) => asText(asObject(model)?.["id"]) ?? []),
  },
  failover: { retriesBadRequest: true },
};
