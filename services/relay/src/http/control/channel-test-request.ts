import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { hasChat } from "../../providers/endpoints/without-chat.ts";
import type { Provider, Target, UpstreamRequest } from "../../providers/contract/provider.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";

/** How many tokens a test may produce; thinking models spend some before the first word. */
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

/** Models that do not chat, by their names. The first match counts: rerankers carry names of embeddings too. */
const ENDPOINT_TESTS: readonly EndpointTest[] = [
  { names: /rerank/i, format: "rerank", body: { query: "hi", documents: ["hello world"] } },
  { names: /embed|bge-|^m3e/i, format: "openai-embeddings", body: { input: ["hello world"] } },
];

/**
 * A call as small as can be to see whether a model answers: the endpoint that its name speaks of, the caller's
 * or upstream's, else chat.
 */
export function testCall(
  provider: Provider,
  model: string,
  target: Target,
): { readonly provider: Provider; readonly request: UpstreamRequest } {
  const served = ENDPOINT_TESTS.filter(({ format }) => provider.endpoints?.[format]);
  const isNamed = ({ names }: EndpointTest): boolean => names.test(target.model) || names.test(model);
  // Where there is no chat, names need not say what a model is for.
  const found = served.find(isNamed) ?? (hasChat(provider) ? undefined : served.at(-1));
  const endpoint = found && provider.endpoints?.[found.format];
  if (!endpoint) return { provider, request: provider.buildRequest(chatRequest(model), target) };
  const body = { model: target.model, ...found.body };
  const json = endpoint.adaptBody?.(body, target) ?? body;
  return { provider: endpoint, request: { ...endpoint.address(target, false), json } };
}
