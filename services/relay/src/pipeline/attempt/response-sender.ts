import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { createGeneratedText } from "../../accounting/tokens/generated-text.ts";
import type { CallMeter } from "../../accounting/holds/meters/call-meter.ts";
import { estimateTokens } from "../../accounting/tokens/token-estimate.ts";
import type { Tokenizer } from "../../accounting/tokens/tokenizer.ts";
import type { Choice } from "../../core/call/channel.ts";
import { getChargeHeaders } from "../../core/call/charge-headers.ts";
import { type Exchange, sendJson } from "../../core/call/exchange.ts";
import { getResponseContext, type RelayCall } from "../../core/call/relay-call.ts";
import type { ChatResponse, ContentPart } from "../../core/chat/chat.ts";
import { withoutReportedCost } from "../../core/vendors/upstream-cost.ts";
import type { UpstreamClient } from "../../upstream/upstream-client.ts";
import type { CallProgress, OnCancel, ResponseHeaders } from "../../upstream/upstream-call.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import type { AttemptOutcomes } from "../settle/attempt-outcome.ts";
import { isCredible, type ResolvedUsage, resolveUsage } from "../settle/usage-resolution.ts";
import { recordModelResponse } from "./attempt-telemetry.ts";
import {
  cancelOnDisconnect,
  type DisconnectRules,
  getCutReasoning,
  isClientDisconnect,
  isPromptDue,
} from "./disconnects.ts";
import type { CutReasoning } from "../../accounting/tokens/hidden-reasoning.ts";
import { attemptNonStreaming, type NonStreamingResult } from "./non-streaming-attempt.ts";
import type { RunningAttempt, RunningAttempts } from "./running-attempts.ts";
import type { AttemptParts } from "./stream/stream-sender.ts";
import { addChargeToBody } from "./usage-charge.ts";
import { addMissingUsage } from "./stream/usage-chunk.ts";

type Deps = {
  readonly options: () => OptionsInForce;
  readonly client: UpstreamClient;
  readonly tokenizer: Tokenizer;
  readonly running: RunningAttempts;
  readonly observer: AttemptOutcomes;
  readonly disconnects: DisconnectRules;
  readonly now: () => number;
};

/** The text of a part that counts as completion tokens. */
const getText = (part: ContentPart): string =>
  part.type === "text" || part.type === "reasoning"
    ? part.text
    : part.type === "tool-call"
      ? part.name + part.argumentsText
      : "";

const estimateVisibleTokens = ({ parts }: ChatResponse): number =>
  parts.reduce((sum, part) => sum + estimateTokens(getText(part)), 0);

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
    if (part.type === "image" && !part.isOfTool) produced.addImage();
    else produced.add(getText(part));
  }
  produced.add(response.otherOutput ?? "");
  const complete = { wasCut: false, isPromptDue: false, cut: undefined };
  return resolveUsage({ call, reported: response.usage, produced, ...complete, tokenizer });
}

/** Sends upstream's bytes to a caller of the same format, or the response in the caller's, which may be stored first. */
function sendResult(
  call: RelayCall,
  exchange: Exchange,
  { raw, headers, response }: NonStreamingResult & { readonly response: { readonly usage: TokenUsage } },
  { charge, options }: { readonly charge: string | undefined; readonly options: OptionsInForce },
): Promise<void> | void {
  const send = (body: string | Buffer, type?: Readonly<Record<string, string>>): void => {
    const isRequested = call.includeCharge || options.flag("UsageCostEnabled");
    const complete = call.includeCharge && !type ? addMissingUsage(body, response.usage) : body;
    const reported = isRequested && !type ? addChargeToBody(complete, charge) : complete;
    sendJson(exchange, 200, reported, { ...type, ...getChargeHeaders(charge, options) });
  };
  const sendStored = (body: string | Buffer, type?: Readonly<Record<string, string>>): Promise<void> | void =>
    call.untilStored ? call.untilStored().then(() => send(body, type)) : send(body, type);
  if (!raw) return sendStored(JSON.stringify(call.dialect.writeResponse(response, getResponseContext(call))));
  const { endpoint } = call.dialect;
  const { usage } = response;
  const choice = call.sealing && call.tried.at(-1);
  const own = withoutReportedCost(raw);
  const sealed = (choice && call.sealing?.(choice).body(own)) ?? own;
  const rewritten = endpoint?.rewriteResponse?.(call.body, sealed, { model: call.model, usage }) ?? sealed;
  const isOfAnyType = endpoint?.returnsText === true || endpoint?.returnsBytes === true;
  return sendStored(rewritten, isOfAnyType ? getContentType(headers) : undefined);
}

/** Cancels the work through `onCancel`, or when the attempt is stopped. */
function withStop(onCancel: OnCancel): RunningAttempt & { readonly onCancel: OnCancel } {
  const cancels: ((error: RelayError) => void)[] = [];
  return {
    onCancel(cancel) {
      cancels.push(cancel);
      onCancel(cancel);
    },
    stop: (error) => cancels.forEach((cancel) => cancel(error)),
  };
}

/**
 * Charges a call whose client disconnected for its prompt and the hidden reasoning of a model that has it: what else
 * upstream generated is not known.
 */
async function chargePrompt(
  tokenizer: Tokenizer,
  call: RelayCall,
  meter: CallMeter,
  { error, cut }: { readonly error: RelayError; readonly cut: CutReasoning | undefined },
): Promise<void> {
  const produced = createGeneratedText(tokenizer);
  const facts = { call, reported: undefined, produced, wasCut: true, isPromptDue: true, cut, tokenizer };
  await meter.charge({ ...(await resolveUsage(facts)), error });
}

/** Makes non-streaming attempts: receives the response, settles, and sends it to the caller. */
export function createResponseSender(deps: Deps) {
  /** The timeouts are part of the request (headers, body); a client disconnect aborts it at once. */
  const receive = async (
    call: RelayCall,
    exchange: Exchange,
    choice: Choice,
    { prepared, meter }: AttemptParts,
  ): Promise<NonStreamingResult> => {
    const progress: CallProgress = { isSent: false, status: 0 };
    const terms = deps.disconnects.getTerms(call, choice);
    const running = withStop(cancelOnDisconnect(choice, exchange, terms.drainMs));
    const sentAt = performance.now();
    const cancellation = { onCancel: running.onCancel, progress };
    const place = deps.running.add(running);
    try {
      return await attemptNonStreaming(deps, prepared, choice.channel.statusCodeMapping, cancellation);
    } catch (error) {
      if (isClientDisconnect(error) && isPromptDue(progress)) {
        const cut = getCutReasoning(terms, performance.now() - sentAt, meter);
        await chargePrompt(deps.tokenizer, call, meter, { error, cut });
      }
      throw error;
    } finally {
      deps.running.remove(place);
    }
  };

  return async function sendNonStreaming(
    call: RelayCall,
    exchange: Exchange,
    choice: Choice,
    parts: AttemptParts,
  ): Promise<void> {
    const sentAt = performance.now();
    const result = await receive(call, exchange, choice, parts);
    call.watch.upstreamMs += performance.now() - sentAt;
    recordModelResponse(call, result.response.model);
    const response = call.content ? call.content.filterResponse(result.response) : result.response;
    // The response contains the usage, so an estimate must be made before it is sent.
    const { usage, estimated } = isPlausible(response, call.dialect.endpoint?.promptOnly)
      ? { usage: response.usage, estimated: false }
      : await estimateUsage(call, response, deps.tokenizer);
    if (usage.reasoningTokens > 0) {
      const visibleTokens = estimateVisibleTokens(result.response);
      deps.disconnects.learn(call.model, usage, { visibleTokens, tookMs: performance.now() - sentAt });
    }
    call.firstByteAtMs = deps.now();
    const settled = parts.meter.charge({ usage, estimated, responseId: response.id, error: undefined });
    if (settled) await settled;
    const raw = parts.prepared.passThrough && response === result.response ? result.raw : undefined;
    const charged = { charge: parts.meter.getCharge(), options: deps.options() };
    const sent = sendResult(call, exchange, { ...result, raw, response: { ...response, usage } }, charged);
    if (sent) await sent;
    deps.observer.succeeded(choice);
  };
}
