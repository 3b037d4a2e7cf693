import type { ChatRequest } from "../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";
import type { UpstreamFailure } from "../../core/errors/relay-error.ts";
import { parseAnthropicResponse } from "../formats/anthropic/anthropic-response.ts";
import { newAnthropicStreamReader } from "../formats/anthropic/anthropic-stream-reader.ts";
import { adaptAnthropicBody } from "../formats/anthropic/anthropic-adapt.ts";
import { buildAnthropicBody } from "../formats/anthropic/anthropic-request.ts";
import { splitThinking } from "../formats/anthropic/claude-thinking.ts";
import { getFailure, statusFailure } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import type { SentHeaders } from "../../core/wire/stream.ts";
import { createAwsSplitter } from "./aws-event-stream.ts";
import { toAnthropicFrame } from "./bedrock-frames.ts";
import { toBedrock } from "./bedrock-body.ts";
import { bedrockId } from "./bedrock-models.ts";
import { readBedrockKey, signBedrock } from "./bedrock-sign.ts";

function address(target: Target, stream: boolean): Endpoint {
  const { region } = readBedrockKey(target.key);
  const { model } = splitThinking(target.model, target.settings);
  const base = target.baseUrl || `https://bedrock-runtime.${region}.amazonaws.com`;
  const call = stream ? "invoke-with-response-stream" : "invoke";
  const accept = stream ? "application/vnd.amazon.eventstream" : "application/json";
  return {
    url: `${base}/model/${encodeURIComponent(bedrockId(model, region))}/${call}`,
    headers: { ...JSON_CONTENT, accept },
  };
}

/** Bedrock runs none of Anthropic's server tools: there is no web search. */
function withoutSearch({ webSearch: _webSearch, ...rest }: ChatRequest): ChatRequest {
  return rest;
}

const header = (headers: SentHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** `{message}`, with the class of the error in a header: `ThrottlingException:http://…`. */
function parseError(status: number, body: unknown, headers: SentHeaders = {}): UpstreamFailure {
  const json = asObject(body);
  const message = asText(json?.["message"]) || asText(json?.["Message"]);
  const [kind] = (header(headers, "x-amzn-errortype") ?? asText(json?.["__type"]) ?? "").split(":");
  const words = kind ? { type: kind, code: kind } : {};
  return message ? getFailure(message, words) : { ...statusFailure(status), ...words };
}

/** Claude on AWS Bedrock: Anthropic's format with AWS's URLs, signatures and binary streams. */
export const bedrock: Provider = {
  name: "bedrock",
  wireFormat: "anthropic-messages",
  buildRequest: (request, target) => ({
    ...address(target, request.stream),
    json: toBedrock(buildAnthropicBody(withoutSearch(request), target), target),
  }),
  address,
  adaptBody: (body, target) => toBedrock(adaptAnthropicBody(body, target), target),
  auth: { sign: signBedrock },
  requests: { requiresInlineImages: true, keepsInstructions: true },
  streaming: { newFrameSplitter: () => createAwsSplitter(toAnthropicFrame) },
  parseResponse: parseAnthropicResponse,
  newStreamReader: newAnthropicStreamReader,
  parseError,
  account: {
    modelList: (target) => ({
      url: `${target.baseUrl || `https://bedrock.${readBedrockKey(target.key).region}.amazonaws.com`}/foundation-models?byProvider=anthropic`,
      headers: { accept: "application/json" },
    }),
    parseModelList: (body) =>
      asList(asObject(body)?.["modelSummaries"]).flatMap((model) => asText(asObject(model)?.["modelId"]) ?? []),
  },
};
