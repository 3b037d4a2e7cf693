import { asList, asObject, asText } from "../../core/chat/json.ts";
import type { UpstreamFailure } from "../../core/errors/relay-error.ts";
import { readFailure, redactWithin, statusFailure } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/headers.ts";
import type { Provider, Target } from "../contract/provider.ts";
import { adaptAnthropicBody } from "./anthropic-adapt.ts";
import { behaviourHeaders } from "./anthropic-headers.ts";
import { buildAnthropicBody } from "./anthropic-request.ts";
import { parseAnthropicResponse } from "./anthropic-response.ts";
import { newAnthropicStreamReader } from "./anthropic-stream-reader.ts";
import { CLAUDE_MODELS } from "./claude-models.ts";

const BASE_URL = "https://api.anthropic.com";
const API_VERSION = "2023-06-01";

const baseOf = ({ baseUrl }: Target): string => (baseUrl || BASE_URL).replace(/\/v1$/, "");

const authHeaders = (target: Target): Record<string, string> => ({
  ...behaviourHeaders(target),
  "x-api-key": target.key,
  "anthropic-version": target.clientHeaders["anthropic-version"] || API_VERSION,
});

const address = (target: Target) => ({
  url: `${baseOf(target)}/v1/messages`,
  headers: { ...JSON_CONTENT, ...authHeaders(target) },
});

/** Anthropic's error: its `details` add to the type (platform.claude.com/docs/en/api/errors). */
function parseError(status: number, body: unknown): UpstreamFailure {
  const failure = readFailure(body) ?? statusFailure(status);
  const value = asObject(asObject(asObject(body)?.["error"])?.["details"]);
  return value ? { ...failure, details: { format: "anthropic-messages", value: redactWithin(value) } } : failure;
}

/** Anthropic's Messages API. */
export const anthropic: Provider = {
  name: "anthropic",
  wireFormat: "anthropic-messages",
  buildRequest: (request, target) => ({ ...address(target), json: buildAnthropicBody(request, target) }),
  address,
  adaptBody: adaptAnthropicBody,
  parseResponse: parseAnthropicResponse,
  newStreamReader: newAnthropicStreamReader,
  parseError,
  modelList: (target) => ({ url: `${baseOf(target)}/v1/models?limit=1000`, headers: authHeaders(target) }),
  parseModelList: (body) => asList(asObject(body)?.["data"]).flatMap((model) => asText(asObject(model)?.["id"]) ?? []),
  defaultModels: CLAUDE_MODELS,
};
