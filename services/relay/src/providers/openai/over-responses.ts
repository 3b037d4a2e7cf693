import type { ChatRequest } from "../../core/chat/chat.ts";
import type { CallNeeds, Provider, UpstreamRequest } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { createSingleFrameSplitter, newSingleFrameReader } from "../shared/single-frame-stream.ts";
import { buildResponsesBody } from "./responses-body.ts";
import { getRequirements, isResponsesOnly, needsResponses } from "./responses-models.ts";

const NO_NEEDS: CallNeeds = { hasTools: false, effort: undefined };

/** OpenAI and Azure. Other providers with this API also serve all their models through chat. */
const TYPES: ReadonlySet<number> = new Set([1, 3]);

function overResponses(chat: Provider, responses: Provider): Provider {
  const { address, parseResponse, newStreamReader } = responses;
  const buildRequest = (request: ChatRequest, target: Target): UpstreamRequest => ({
    ...address(target, request.stream),
    json: buildResponsesBody(request, target.model),
  });
  return { ...chat, wireFormat: "own", address, buildRequest, parseResponse, newStreamReader };
}

/** For models that refuse `stream`: the non-streaming response is requested and converted to a stream. */
const withoutStreams = (over: Provider): Provider => ({
  ...over,
  buildRequest: (request, target) => over.buildRequest({ ...request, stream: false }, target),
  streaming: { ...over.streaming, neverStreams: true, newFrameSplitter: createSingleFrameSplitter },
  newStreamReader: () => newSingleFrameReader(over.parseResponse),
});

/**
 * Chat calls that only the Responses API serves, because of their model or because of their tools: written as responses
 * requests, and the responses parsed as chat. Other calls use the provider's chat, as do all models of channel types other than OpenAI and Azure.
 */
export function withResponsesOnlyModels(type: number, chat: Provider): Provider {
  const responses = TYPES.has(type) ? chat.endpoints?.["openai-responses"] : undefined;
  if (!responses) return chat;
  const over = overResponses(chat, responses);
  const complete = withoutStreams(over);
  const exact = (model: string): Provider => (getRequirements(model).neverStreams ? complete : over);
  return {
    ...chat,
    forModel(model, getNeeds = () => NO_NEEDS) {
      if (isResponsesOnly(model)) return exact(model);
      return needsResponses(model, getNeeds) ? over : chat;
    },
  };
}
