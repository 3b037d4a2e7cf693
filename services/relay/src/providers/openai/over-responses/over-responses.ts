import type { Provider } from "../../provider.ts";
import { buildResponsesBody } from "./responses-body.ts";
import { isResponsesOnly } from "./responses-models.ts";

/**
 * Chat calls of models that know the Responses API alone: written as responses, and their answers read as chat. Other models stay
 * with the provider's chat. A provider without that API comes back as it is.
 */
export function withResponsesOnlyModels(chat: Provider): Provider {
  const responses = chat.endpoints?.["openai-responses"];
  if (!responses) return chat;
  const over: Provider = {
    ...chat,
    wireFormat: "own",
    address: responses.address,
    buildRequest: (request, target) => ({
      ...responses.address(target, request.stream),
      json: buildResponsesBody(request, target.model),
    }),
    parseResponse: responses.parseResponse,
    newStreamReader: responses.newStreamReader,
  };
  return { ...chat, forModel: (model) => (isResponsesOnly(model) ? over : chat) };
}
