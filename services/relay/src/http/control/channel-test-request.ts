import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { hasChat } from "../../providers/shared/endpoints/without-chat.ts";
import type { Provider, UpstreamRequest } from "../../providers/contract/provider.ts";
import type { Target } from "../../providers/contract/target.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";

/** Output token limit of a test; reasoning models use some before the first text. */
function testTokensMax(model: string): number {
  if (model.includes("gemini")) return 300;
  if (model.includes("thinking")) return 50;
  return 10;
}

const chatRequest = (model: string): ChatRequest => ({
  model,
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: false,
  includeUsage: false,
  maxOutputTokens: testTokensMax(model),
});

type EndpointTest = { readonly names: RegExp; readonly format: EndpointFormat; readonly body: Json };

/** Non-chat models, recognized by name. The first match counts: names of rerankers may contain those of embeddings. */
const ENDPOINT_TESTS: readonly EndpointTest[] = [
  { names: /rerank/i, format: "rerank", body: { query: "hi", documents: ["hello world"] } },
  { names: /embed|bge-|^m3e/i, format: "openai-embeddings", body: { input: ["hello world"] } },
];

/**
 * The smallest call that shows whether a model responds: on the endpoint that its name indicates (the caller-side or
 * upstream name), else chat.
 */
export function testCall(
  provider: Provider,
  model: string,
  target: Target,
): { readonly provider: Provider; readonly request: UpstreamRequest } {
  const served = ENDPOINT_TESTS.filter(({ format }) => provider.endpoints?.[format]);
  const isNamed = ({ names }: EndpointTest): boolean => names.test(target.model) || names.test(model);
  // For channels without chat, the name need not indicate the endpoint.
  const found = served.find(isNamed) ?? (hasChat(provider) ? undefined : served.at(-1));
  const endpoint = found && provider.endpoints?.[found.format];
  if (!endpoint) return { provider, request: provider.buildRequest(chatRequest(model), target) };
  const body = { model: target.model, ...found.body };
  const json = endpoint.adaptBody?.(body, target) ?? body;
  return { provider: endpoint, request: { ...endpoint.address(target, false), json } };
}
