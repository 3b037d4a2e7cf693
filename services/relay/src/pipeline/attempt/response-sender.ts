import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { createGeneratedText } from "../../accounting/tokens/generated-text.ts";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import type { Choice } from "../../core/call/channel.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import { getResponseContext, type RelayCall } from "../../core/call/relay-call.ts";
import type { ChatResponse, ContentPart } from "../../core/chat/chat.ts";
import type { ResponseHeaders, UpstreamClient } from "../../upstream/upstream-client.ts";
import type { AttemptOutcomes } from "../settle/attempt-outcome.ts";
import { isCredible, type ResolvedUsage, resolveUsage } from "../settle/usage-resolution.ts";
import { modelAnswered } from "./attempt-telemetry.ts";
import { cancelOnDisconnect } from "./disconnects.ts";
import { attemptNonStreaming } from "./non-streaming-attempt.ts";
import type { AttemptParts } from "./stream-sender.ts";

type Deps = {
  readonly client: UpstreamClient;
  readonly tokenizer: Tokenizer;
  readonly observer: AttemptOutcomes;
  readonly now: () => number;
};

/** The text of a part that counts as completion tokens. */
const getText = (part: ContentPart): string =>
  part.type === "text" || part.type === "reasoning"
    ? part.text
    : part.type === "tool-call"
      ? part.name + part.argumentsText
      : "";

/** The content type of upstream's response. */
const getContentType = ({ "content-type": type }: ResponseHeaders): Record<string, string> =>
  typeof type === "string" ? { "content-type": type } : {};

/** Usage that can be charged directly: both sides counted, or only the prompt if the response has no tokens. */
const isPlausible = (
  response: ChatResponse,
  promptOnly: boolean | undefined,
): response is ChatResponse & { usage: TokenUsage } =>
  response.usage !== undefined &&
  isCredible(response.usage) &&
  response.usage.promptTokens > 0 &&
  (response.usage.completionTokens > 0 || promptOnly === true);

/** Estimates the usage of a non-streaming response that does not report it. */
function estimateUsage(call: RelayCall, response: ChatResponse, tokenizer: Tokenizer): Promise<ResolvedUsage> {
  const produced = createGeneratedText(tokenizer);
  for (const part of response.parts) {
    if (part.type === "image") produced.addImage();
    else produced.add(getText(part));
  }
  return resolveUsage({ call, reported: response.usage, produced, wasCut: false, tokenizer });
}

function sendConverted(call: RelayCall, exchange: Exchange, response: ChatResponse & { usage: TokenUsage }): void {
  sendJson(exchange, 200, JSON.stringify(call.dialect.writeResponse(response, getResponseContext(call))));
}

/** Makes non-streaming attempts: receives the response, settles, and sends it to the caller. */
export function createResponseSender(deps: Deps) {
  return async function sendNonStreaming(
    call: RelayCall,
    exchange: Exchange,
    choice: Choice,
    parts: AttemptParts,
  ): Promise<void> {
    // The timeouts are part of the request (headers, body); a client disconnect aborts it at once.
    const sentAt = performance.now();
    const { statusCodeMapping } = choice.channel;
    const result = await attemptNonStreaming(
      deps,
      parts.prepared,
      statusCodeMapping,
      cancelOnDisconnect(choice, exchange),
    );
    call.watch.upstreamMs += performance.now() - sentAt;
    modelAnswered(call, result.response.model);
    const response = call.content ? call.content.filterResponse(result.response) : result.response;
    // The response contains the usage, so an estimate must be made before it is sent.
    const { endpoint } = call.dialect;
    const { usage, estimated } = isPlausible(response, endpoint?.promptOnly)
      ? { usage: response.usage, estimated: false }
      : await estimateUsage(call, response, deps.tokenizer);
    call.firstByteAtMs = deps.now();
    const settled = parts.meter.charge({ usage, estimated, error: undefined });
    if (settled) await settled;
    if (parts.prepared.passThrough && response === result.response && result.raw) {
      const raw = endpoint?.rewriteResponse?.(call.body, result.raw, { model: call.model, usage }) ?? result.raw;
      const isOfAnyType = endpoint?.returnsText === true || endpoint?.returnsBytes === true;
      sendJson(exchange, 200, raw, isOfAnyType ? getContentType(result.headers) : undefined);
    } else sendConverted(call, exchange, { ...response, usage });
    deps.observer.succeeded(choice);
  };
}
