import type { ChatRequest } from "../../../core/chat/chat.ts";
import type { Provider, Target, UpstreamRequest } from "../../contract/provider.ts";
import { createWholeSplitter, newWholeReader } from "../../shared/single-frame-stream.ts";
import { buildResponsesBody } from "./responses-body.ts";
import { isResponsesOnly, wantsOf } from "./responses-models.ts";

/** OpenAI and Azure. Others that have this API serve all their models through chat as well. */
const TYPES: ReadonlySet<number> = new Set([1, 3]);

function overResponses(chat: Provider, responses: Provider): Provider {
  const { address, parseResponse, newStreamReader } = responses;
  const buildRequest = (request: ChatRequest, target: Target): UpstreamRequest => ({
    ...address(target, request.stream),
    json: buildResponsesBody(request, target.model),
  });
  return { ...chat, wireFormat: "own", address, buildRequest, parseResponse, newStreamReader };
}

/** For models that refuse `stream`: they are asked for the whole answer, which stands in for a stream. */
const withoutStreams = (over: Provider): Provider => ({
  ...over,
  buildRequest: (request, target) => over.buildRequest({ ...request, stream: false }, target),
  answersWhole: true,
  newFrameSplitter: createWholeSplitter,
  newStreamReader: () => newWholeReader(over.parseResponse),
});

/**
 * Chat calls of models that know the Responses API alone: written as responses, and their answers read as chat. Other models stay
 * with the provider's chat, and so do all models of a channel type that is neither OpenAI nor Azure.
 */
export function withResponsesOnlyModels(type: number, chat: Provider): Provider {
  const responses = TYPES.has(type) ? chat.endpoints?.["openai-responses"] : undefined;
  if (!responses) return chat;
  const over = overResponses(chat, responses);
  const whole = withoutStreams(over);
  const exact = (model: string): Provider => (wantsOf(model).answersWhole ? whole : over);
  return { ...chat, forModel: (model) => (isResponsesOnly(model) ? exact(model) : chat) };
}
