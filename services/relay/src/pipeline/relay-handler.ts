import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { checkGroup } from "../admission/call-group.ts";
import type { ChatResponse, ContentPart } from "../core/chat/chat.ts";
import type { ResponseCache } from "./response-cache/response-cache.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import { redactAttemptSecrets } from "../core/call/secret-redaction.ts";
import type { CallMeter, OpenMeter } from "../accounting/holds/call-meter.ts";
import type { CallOutcome } from "../accounting/usage/usage-record.ts";
import type { InlineImages } from "./prepare/inline-images.ts";
import type { StoredFiles } from "../upstream/downloads/stored-files.ts";
import { createGeneratedText } from "../accounting/tokens/generated-text.ts";
import type { Tokenizer } from "../accounting/tokens/tokenizer.ts";
import { countCallError, inFlight } from "../core/telemetry/relay-metrics.ts";
import type { Chooser } from "../routing/channel-chooser.ts";
import type { Choice } from "../core/call/channel.ts";
import type { Health } from "../routing/health.ts";
import { isRetryable } from "../routing/retry-rules.ts";
import { hasTimeToRetry, getRoutingPreferences } from "../routing/routing-preferences.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import { chooseFirst, findCandidates } from "./candidates.ts";
import type { Tiers } from "../core/call/channel.ts";
import type { AccessTokens } from "./prepare/access-tokens.ts";
import type { ResponseHeaders, OnCancel, UpstreamClient } from "../upstream/upstream-client.ts";
import { EVENTS } from "./attempt/client-stream.ts";
import { getResponseContext, type RelayCall } from "../core/call/relay-call.ts";
import { type Exchange, sendJson } from "../core/call/exchange.ts";
import { startKeepAlive } from "../core/call/keep-alive.ts";
import { type AttemptOutcomes, hideUpstreamError } from "./settle/attempt-outcome.ts";
import { type PhaseTimeouts, type Prepared, prepareRequest, isStreamed } from "./prepare/request-preparation.ts";
import { attemptEnded, countUsage, modelAnswered, runAttempt, tagUsage } from "./attempt/attempt-telemetry.ts";
import { isCredible, type ResolvedUsage, resolveUsage } from "./settle/usage-resolution.ts";
import { attemptStream, type StreamResult } from "./attempt/stream-attempt.ts";
import { uploadFirst } from "./prepare/uploads.ts";
import { attemptNonStreaming } from "./attempt/non-streaming-attempt.ts";

export type CallHandlerDeps = {
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly health: Health;
  readonly client: UpstreamClient;
  readonly accessTokens: AccessTokens;
  readonly openMeter: OpenMeter;
  readonly tokenizer: Tokenizer;
  readonly observer: AttemptOutcomes;
  readonly cache: ResponseCache;
  readonly images: InlineImages;
  readonly files: StoredFiles;
  readonly timeouts: PhaseTimeouts;
  readonly now: () => number;
};

/** Comment text and interval of keep-alives while upstream prepares the non-streaming response. */
const WAITING = "WAITING FOR UPSTREAM";
const WAITING_MS = 5_000;

type Parts = { readonly prepared: Prepared; readonly meter: CallMeter };

const textOf = (part: ContentPart): string =>
  part.type === "text" || part.type === "reasoning"
    ? part.text
    : part.type === "tool-call"
      ? part.name + part.argumentsText
      : "";

/** The content type of upstream's response. */
const typeOf = ({ "content-type": type }: ResponseHeaders): Record<string, string> =>
  typeof type === "string" ? { "content-type": type } : {};

const streamOver = (): void => {
  inFlight.streams--;
};

/** Who cut a stream that had begun: upstream, the balance, or the client. */
function cutBy(error: RelayError): "upstream" | "client" | "quota" {
  if (error.upstream) return "upstream";
  return error.code === "insufficient_user_quota" ? "quota" : "client";
}

const clientDisconnected = (): RelayError =>
  new RelayError("stream_interrupted", "the client disconnected before the response was complete");

/** Cancels the operation when the client disconnects, unless the channel is set to drain. */
const cancelOnDisconnect =
  (choice: Choice, exchange: Exchange): OnCancel =>
  (cancel) => {
    if (!choice.channel.drainOnDisconnect) exchange.onDisconnect(() => cancel(clientDisconnected()));
  };

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
    else produced.add(textOf(part));
  }
  return resolveUsage({ call, reported: response.usage, produced, wasCut: false, tokenizer });
}

function sendConverted(call: RelayCall, exchange: Exchange, response: ChatResponse & { usage: TokenUsage }): void {
  sendJson(exchange, 200, JSON.stringify(call.dialect.writeResponse(response, getResponseContext(call))));
}

/** Wraps the meter and remembers the charge. */
function rememberCharge(
  call: RelayCall,
  meter: CallMeter,
): { meter: CallMeter; charged: () => CallOutcome | undefined } {
  let charged: CallOutcome | undefined;
  const charge: CallMeter["charge"] = (outcome) => {
    charged = outcome;
    tagUsage(call, outcome.usage);
    return meter.charge(outcome);
  };
  return { meter: { ...meter, charge }, charged: () => charged };
}

/** An access token may be revoked before it expires, which says nothing about the key: it is replaced once. */
function mayRenewToken(
  { accessTokens, health }: CallHandlerDeps,
  { status }: RelayError,
  choice: Choice,
  { call, exchange }: { readonly call: RelayCall; readonly exchange: Exchange },
): boolean {
  if (status !== 401 || !accessTokens.forget(choice, call.startedAtMs) || exchange.isDisconnected()) return false;
  health.abandoned(choice.channel.id, choice.key);
  return true;
}

/**
 * Handles one relay call: choose a channel, place the hold, send, fail over before the first byte, stream or return the
 * response, settle. Throws RelayError if nothing was sent to the caller yet; after the first byte, failures end inside
 * the stream.
 */
export function createCallHandler(deps: CallHandlerDeps) {
  const { failed: observe, succeeded } = deps.observer;

  /**
   * Applies the consequences of a streamed attempt that reached the caller; resolves when the end of the stream may be
   * sent.
   */
  const endStream = (call: RelayCall, choice: Choice, meter: CallMeter, result: StreamResult): Promise<void> | void => {
    const { error, usage } = result;
    if (error) call.watch.cut = cutBy(error);
    if (!error) succeeded(choice, call.firstByteAtMs);
    else if (error.upstream) observe(call, choice, error);
    else deps.health.abandoned(choice.channel.id, choice.key);
    const wasServed = usage.promptTokens + usage.completionTokens > 0;
    return error && !wasServed ? meter.release() : meter.charge(result);
  };

  const sendStreaming = (call: RelayCall, exchange: Exchange, choice: Choice, parts: Parts): Promise<void> => {
    const { statusCodeMapping, drainOnDisconnect } = choice.channel;
    const settle = (result: StreamResult) =>
      endStream(call, choice, parts.meter, {
        ...result,
        error: result.error && redactAttemptSecrets(choice, result.error),
      });
    const toClientError = (error: RelayError): RelayError =>
      hideUpstreamError(redactAttemptSecrets(choice, error), deps.options());
    if (parts.prepared.isSynthesizedStream)
      exchange.keepAlive ??= startKeepAlive(exchange, WAITING_MS, EVENTS, WAITING);
    inFlight.streams++;
    const whose = { call, exchange, ...parts, settle, toClientError };
    return attemptStream(deps, { ...whose, statusCodeMapping, drainOnDisconnect }).finally(streamOver);
  };

  const sendNonStreaming = async (call: RelayCall, exchange: Exchange, choice: Choice, parts: Parts): Promise<void> => {
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
      sendJson(exchange, 200, raw, isOfAnyType ? typeOf(result.headers) : undefined);
    } else sendConverted(call, exchange, { ...response, usage });
    succeeded(choice);
  };

  const sendAttempt = (call: RelayCall, exchange: Exchange, choice: Choice, parts: Parts): Promise<void> => {
    const once = isStreamed(call, parts.prepared.provider) ? sendStreaming : sendNonStreaming;
    if (call.watch.span === undefined) return once(call, exchange, choice, parts);
    return runAttempt(call, choice, () => once(call, exchange, choice, parts));
  };

  const tryChannels = async (call: RelayCall, exchange: Exchange, tiers: Tiers, meter: CallMeter): Promise<void> => {
    const attemptsMax = call.admitted.pinnedChannelId === undefined ? deps.options().number("RetryTimes") + 1 : 1;
    for (let choice = call.tried[0]; choice;) {
      deps.health.started(choice.channel.id, choice.key);
      const attemptAt = performance.now();
      let sentAt: number | undefined;
      try {
        // Undefined for most providers, and a promise only while a token is fetched: other calls wait for nothing here.
        const token = deps.accessTokens.of(choice);
        const accessToken = token instanceof Promise ? await token : token;
        const made = deps.images.of(call, choice);
        const asked = made instanceof Promise ? await made : made;
        const uploads = uploadFirst(deps, asked, choice, cancelOnDisconnect(choice, exchange));
        const uploaded = uploads && (await uploads);
        const { timeouts, now } = deps;
        const prepared = prepareRequest(asked, choice, {
          options: deps.options(),
          timeouts,
          nowMs: now(),
          accessToken,
          uploaded,
        });
        sentAt = performance.now();
        await sendAttempt(call, exchange, choice, { prepared, meter });
        return attemptEnded(call, choice, sentAt);
      } catch (thrown) {
        const error = thrown instanceof RelayError ? redactAttemptSecrets(choice, thrown) : thrown;
        if (sentAt !== undefined) attemptEnded(call, choice, sentAt, error);
        if (!(error instanceof RelayError)) {
          // An internal error says nothing about upstream; without this, a half-open probe would never end.
          deps.health.abandoned(choice.channel.id, choice.key);
          throw error;
        }
        call.watch.upstreamMs += performance.now() - attemptAt;
        if (mayRenewToken(deps, error, choice, { call, exchange })) continue;
        observe(call, choice, error);
        if (exchange.isDisconnected()) throw error;
        const next: Choice | undefined =
          call.tried.length < attemptsMax &&
          isRetryable(error, choice.channel.type) &&
          hasTimeToRetry(call, deps.options(), deps.now())
            ? deps.chooser.choose(tiers, call.tried, getRoutingPreferences(call, deps.options()))
            : undefined;
        if (!next) throw error;
        call.tried.push(next);
        choice = next;
      }
    }
  };

  return async function handleCall(call: RelayCall, exchange: Exchange): Promise<void> {
    checkGroup(call.admitted, deps.options());
    const tiers = findCandidates(call, deps.table());
    const first = chooseFirst(deps, call, tiers);
    const cached = deps.cache.entryFor(call, first.channel);
    const { meter, charged } = rememberCharge(call, await deps.openMeter(call));
    try {
      if (!cached || !(await cached.serve(exchange, meter))) await tryChannels(call, exchange, tiers, meter);
      cached?.keep(charged());
    } catch (error) {
      // A charge that failed half-way keeps its hold: the janitor posts it.
      if (!charged()) meter.release();
      countCallError(call.dialect.name, call.stream, error instanceof RelayError ? error.code : "internal_error");
      throw error instanceof RelayError ? hideUpstreamError(error, deps.options()) : error;
    } finally {
      countUsage(call, charged()?.usage);
    }
  };
}
