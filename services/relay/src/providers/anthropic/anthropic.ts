import { asList, asObject, asText } from "../../chat/json.ts";
import { readFailure, statusFailure } from "../failure.ts";
import { JSON_CONTENT } from "../headers.ts";
import type { Provider, Target } from "../provider.ts";
import { adaptAnthropicBody } from "./anthropic-adapt.ts";
import { buildAnthropicBody } from "./anthropic-request.ts";
import { parseAnthropicResponse } from "./anthropic-response.ts";
import { newAnthropicStreamReader } from "./anthropic-stream-reader.ts";
import { CLAUDE_MODELS } from "./claude-models.ts";
import { splitThinking } from "./claude-thinking.ts";

const BASE_URL = "https://api.anthropic.com";
const API_VERSION = "2023-06-01";

const baseOf = ({ baseUrl }: Target): string => (baseUrl || BASE_URL).replace(/\/v1$/, "");

/** Headers the operator set for the model; beta names of operator and caller are joined. */
function modelHeaders({ model, settings, callerHeaders }: Target): Record<string, string> {
  const set =
    settings.claudeModelHeaders[model] ?? settings.claudeModelHeaders[splitThinking(model, settings).model] ?? {};
  const headers = Object.fromEntries(
    Object.entries(set).map(([name, values]) => [name.toLowerCase(), values.join(",")]),
  );
  const betas = [callerHeaders["anthropic-beta"], headers["anthropic-beta"]].flatMap((list) => list?.split(",") ?? []);
  const beta = [...new Set(betas.map((name) => name.trim()).filter((name) => name !== ""))].join(",");
  return { ...headers, ...(beta === "" ? {} : { "anthropic-beta": beta }) };
}

const authHeaders = (target: Target): Record<string, string> => ({
  ...modelHeaders(target),
  "x-api-key": target.key,
  "anthropic-version": target.callerHeaders["anthropic-version"] || API_VERSION,
});

const address = (target: Target) => ({
  url: `${baseOf(target)}/v1/messages`,
  headers: { ...JSON_CONTENT, ...authHeaders(target) },
});

/** Anthropic's messages API. */
export const anthropic: Provider = {
  name: "anthropic",
  wireFormat: "anthropic-messages",
  buildRequest: (request, target) => ({ ...address(target), json: buildAnthropicBody(request, target) }),
  address,
  adaptBody: adaptAnthropicBody,
  parseResponse: parseAnthropicResponse,
  newStreamReader: newAnthropicStreamReader,
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
  modelList: (target) => ({ url: `${baseOf(target)}/v1/models?limit=1000`, headers: authHeaders(target) }),
  parseModelList: (body) => asList(asObject(body)?.["data"]).flatMap((model) => asText(asObject(model)?.["id"]) ?? []),
  defaultModels: CLAUDE_MODELS,
};
