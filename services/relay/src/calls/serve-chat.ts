import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { checkGroup } from "../admission/call-group.ts";
import { mayCallModel } from "../admission/model-limits.ts";
import type { ChatResponse, ContentPart } from "../chat/chat.ts";
import { watchWhole } from "../content-rules/watch-answer.ts";
import type { ResponseCache } from "../cache/response-cache.ts";
import { RelayError } from "../errors/relay-error.ts";
import { withoutSecretsOf } from "../errors/without-key.ts";
import type { CallMeter, OpenMeter } from "../metering/call-meter.ts";
import type { CallOutcome } from "../metering/usage-record.ts";
import type { InlineImages } from "../images/inline-images.ts";
import type { KeptFiles } from "../images/kept-files.ts";
import { createProducedText } from "../metering/produced-text.ts";
import type { Tokenizer } from "../metering/tokenizer.ts";
import { callServed, inFlight } from "../metrics.ts";
import type { Choice, Chooser } from "../routing/choose.ts";
import type { Health } from "../routing/health.ts";
import { isRetryable } from "../routing/retry.ts";
import { hasTimeToRetry, wishOf } from "../routing/wish.ts";
import type { RoutingTable, Tiers } from "../routing/routing-table.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { AnswerHeaders, OnCancel, UpstreamClient } from "../upstream/upstream-client.ts";
import { EVENTS } from "./caller-stream.ts";
import { answerContextOf, type ChatCall } from "./chat-call.ts";
import { type Exchange, sendJson } from "./exchange.ts";
import { startKeepAlive } from "./keep-alive.ts";
import { type AttemptObserver, hideUpstream } from "./attempt-observer.ts";
import {
  type PhaseTimeouts,
  type Prepared,
  prepareRequest,
  hasEndpoint,
  isStreamed,
  serves,
} from "./prepare-request.ts";
import { attemptEnded, countUsage, modelAnswered, runAttempt, tagUsage } from "./provider-attempt.ts";
import { isCredible, type ResolvedUsage, resolveUsage } from "./resolve-usage.ts";
import { attemptStream, type StreamResult } from "./stream-attempt.ts";
import { uploadFirst } from "./uploads.ts";
import { attemptWhole } from "./whole-attempt.ts";

type Deps = {
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly health: Health;
  readonly client: UpstreamClient;
  readonly accessTokens: AccessTokens;
  readonly openMeter: OpenMeter;
  readonly tokenizer: Tokenizer;
  readonly observer: AttemptObserver;
  readonly cache: ResponseCache;
  readonly images: InlineImages;
  readonly files: KeptFiles;
  readonly timeouts: PhaseTimeouts;
  readonly now: () => number;
};

/** What is said in a stream, and how often, while upstream prepares the whole answer. */
const WAITING = "WAITING FOR UPSTREAM";
const WAITING_MS = 5_000;

type Parts = { readonly prepared: Prepared; readonly meter: CallMeter };

/** Who may serve a call, in tiers; throws what the caller did wrong, or no_available_channel. */
export function findTiers(call: ChatCall, table: RoutingTable): Tiers {
  const { pinnedChannelId, caller } = call.admitted;
  if (pinnedChannelId !== undefined) {
    const channel = table.byId(pinnedChannelId);
    if (!channel && table.isIdle(pinnedChannelId))
      throw new RelayError("channel_pin_not_allowed", `channel ${pinnedChannelId} is not in use`);
    if (!channel) throw new RelayError("invalid_request", `channel ${pinnedChannelId} does not exist`);
    return [[channel]];
  }
  if (!mayCallModel(caller.known, table, call.model)) {
    throw new RelayError("model_not_allowed", `this token may not use the model ${call.model}`, { param: "model" });
  }
  const tiers = table.tiers(call.group, call.model);
  if (tiers.length > 0) return tiers;
  if (!table.knowsModel(call.model))
    throw new RelayError("model_not_found", `the model ${call.model} does not exist`, { param: "model" });
  throw new RelayError(
    "no_available_channel",
    `no channel of the group ${call.group} serves the model ${call.model} right now`,
  );
}

/** The candidates that have the endpoint. Throws invalid_request when none does: asking again would not help. */
function serving(tiers: Tiers, call: ChatCall): Tiers {
  const among = (fits: typeof serves): Tiers =>
    tiers.map((tier) => tier.filter((channel) => fits(channel, call))).filter((tier) => tier.length > 0);
  const own = call.dialect.endpoint?.losesByChat?.(call.body) ? among(hasEndpoint) : [];
  const left = own.length > 0 ? own : among(serves);
  if (left.length > 0) return left;
  const param = call.dialect.endpoint?.ownField?.(call.body);
  if (param !== undefined)
    throw new RelayError("invalid_request", `${param}: is not supported for the model ${call.model}`, { param });
  const why = `the model ${call.model} is not served on this endpoint (${call.dialect.name})`;
  throw new RelayError("invalid_request", why, { param: "model" });
}

const textOf = (part: ContentPart): string =>
  part.type === "text" || part.type === "reasoning"
    ? part.text
    : part.type === "tool-call"
      ? part.name + part.argumentsText
      : "";

/** The content type that upstream gave its answer. */
const typeOf = ({ "content-type": type }: AnswerHeaders): Record<string, string> =>
  typeof type === "string" ? { "content-type": type } : {};

const streamOver = (): void => {
  inFlight.streams--;
};

/** Who ended a stream that had begun: upstream, the balance, or the caller. */
function cutBy(error: RelayError): "upstream" | "caller" | "quota" {
  if (error.upstream) return "upstream";
  return error.code === "insufficient_user_quota" ? "quota" : "caller";
}

const callerLeft = (): RelayError =>
  new RelayError("stream_interrupted", "the caller left before the answer was complete");

/** Ends what is under way when the caller leaves, unless the channel's setting is to go on. */
const untilGone =
  (choice: Choice, exchange: Exchange): OnCancel =>
  (cancel) => {
    if (!choice.channel.drainOnDisconnect) exchange.onGone(() => cancel(callerLeft()));
  };

/** Usage that can be charged as it is: both sides counted, or the prompt alone where the answer has no tokens. */
const isPlausible = (
  response: ChatResponse,
  promptOnly: boolean | undefined,
): response is ChatResponse & { usage: TokenUsage } =>
  response.usage !== undefined &&
  isCredible(response.usage) &&
  response.usage.promptTokens > 0 &&
  (response.usage.completionTokens > 0 || promptOnly === true);

/** The usage of a whole answer that does not tell it. */
function estimateUsage(call: ChatCall, response: ChatResponse, tokenizer: Tokenizer): Promise<ResolvedUsage> {
  const produced = createProducedText(tokenizer);
  for (const part of response.parts) {
    if (part.type === "image") produced.addPicture();
    else produced.add(textOf(part));
  }
  return resolveUsage({ call, reported: response.usage, produced, wasCut: false, tokenizer });
}

function sendConverted(call: ChatCall, exchange: Exchange, response: ChatResponse & { usage: TokenUsage }): void {
  sendJson(exchange, 200, JSON.stringify(call.dialect.writeResponse(response, answerContextOf(call))));
}

/** The meter, and what it was told to charge. */
function rememberCharge(
  call: ChatCall,
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

/** A token of ours may have been ended before its time, which says nothing of the key: it is traded for a new one, once. */
function mayRenewToken(
  { accessTokens, health }: Deps,
  { status }: RelayError,
  choice: Choice,
  { call, exchange }: { readonly call: ChatCall; readonly exchange: Exchange },
): boolean {
  if (status !== 401 || !accessTokens.forget(choice, call.startedAtMs) || exchange.isGone()) return false;
  health.abandoned(choice.channel.id, choice.key);
  return true;
}

/**
 * Serves one chat call: choose, hold, send, retry elsewhere before the first byte, stream or send back, settle. Throws RelayError
 * when nothing was sent to the caller yet; once bytes went out, failures end inside the stream.
 */
export function createServeChat(deps: Deps) {
  const { failed: observe, succeeded } = deps.observer;

  /** Draws the consequences of a streamed attempt that reached the caller; resolves when its end may be sent. */
  const endStream = (call: ChatCall, choice: Choice, meter: CallMeter, result: StreamResult): Promise<void> | void => {
    const { error, usage } = result;
    if (error) call.watch.cut = cutBy(error);
    if (!error) succeeded(choice, call.firstByteAtMs);
    else if (error.upstream) observe(call, choice, error);
    else deps.health.abandoned(choice.channel.id, choice.key);
    const wasServed = usage.promptTokens + usage.completionTokens > 0;
    return error && !wasServed ? meter.release() : meter.charge(result);
  };

  const streamOnce = (call: ChatCall, exchange: Exchange, choice: Choice, parts: Parts): Promise<void> => {
    const { statusCodeMapping, drainOnDisconnect } = choice.channel;
    const settle = (result: StreamResult) =>
      endStream(call, choice, parts.meter, {
        ...result,
        error: result.error && withoutSecretsOf(choice, result.error),
      });
    const toldAs = (error: RelayError): RelayError => hideUpstream(withoutSecretsOf(choice, error), deps.options());
    if (parts.prepared.comesWhole) exchange.keepAlive ??= startKeepAlive(exchange, WAITING_MS, EVENTS, WAITING);
    inFlight.streams++;
    const whose = { call, exchange, ...parts, settle, toldAs };
    return attemptStream(deps, { ...whose, statusCodeMapping, drainOnDisconnect }).finally(streamOver);
  };

  const wholeOnce = async (call: ChatCall, exchange: Exchange, choice: Choice, parts: Parts): Promise<void> => {
    // How long it may take is in the request's own phases (headers, body); a caller who leaves ends it at once.
    const sentAt = performance.now();
    const { statusCodeMapping } = choice.channel;
    const result = await attemptWhole(deps, parts.prepared, statusCodeMapping, untilGone(choice, exchange));
    call.watch.upstreamMs += performance.now() - sentAt;
    modelAnswered(call, result.response.model);
    const response = call.content ? watchWhole(result.response, call.content) : result.response;
    // The usage goes into the answer, so an estimate must be there before it.
    const { endpoint } = call.dialect;
    const { usage, estimated } = isPlausible(response, endpoint?.promptOnly)
      ? { usage: response.usage, estimated: false }
      : await estimateUsage(call, response, deps.tokenizer);
    call.firstByteAtMs = deps.now();
    const settled = parts.meter.charge({ usage, estimated, error: undefined });
    if (settled) await settled;
    if (parts.prepared.passThrough && response === result.response && result.raw) {
      const raw = endpoint?.rewriteAnswer?.(call.body, result.raw, { model: call.model, usage }) ?? result.raw;
      const isOfAnyType = endpoint?.answersText === true || endpoint?.answersBytes === true;
      sendJson(exchange, 200, raw, isOfAnyType ? typeOf(result.headers) : undefined);
    } else sendConverted(call, exchange, { ...response, usage });
    succeeded(choice);
  };

  const sendOnce = (call: ChatCall, exchange: Exchange, choice: Choice, parts: Parts): Promise<void> => {
    const once = isStreamed(call, parts.prepared.provider) ? streamOnce : wholeOnce;
    if (call.watch.span === undefined) return once(call, exchange, choice, parts);
    return runAttempt(call, choice, () => once(call, exchange, choice, parts));
  };

  const tryChannels = async (call: ChatCall, exchange: Exchange, tiers: Tiers, meter: CallMeter): Promise<void> => {
    const attemptsMax = call.admitted.pinnedChannelId === undefined ? deps.options().number("RetryTimes") + 1 : 1;
    for (let choice = call.tried[0]; choice;) {
      deps.health.started(choice.channel.id, choice.key);
      const attemptAt = performance.now();
      let sentAt: number | undefined;
      try {
        // Undefined for nearly every provider, a promise only while a token is fetched: plain calls wait for nothing here.
        const token = deps.accessTokens.of(choice);
        const accessToken = token instanceof Promise ? await token : token;
        const made = deps.images.of(call, choice);
        const asked = made instanceof Promise ? await made : made;
        const uploads = uploadFirst(deps, asked, choice, untilGone(choice, exchange));
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
        await sendOnce(call, exchange, choice, { prepared, meter });
        return attemptEnded(call, choice, sentAt);
      } catch (thrown) {
        const error = thrown instanceof RelayError ? withoutSecretsOf(choice, thrown) : thrown;
        if (sentAt !== undefined) attemptEnded(call, choice, sentAt, error);
        if (!(error instanceof RelayError)) {
          // A fault of our own says nothing of upstream; were this a trial, it would else never end.
          deps.health.abandoned(choice.channel.id, choice.key);
          throw error;
        }
        call.watch.upstreamMs += performance.now() - attemptAt;
        if (mayRenewToken(deps, error, choice, { call, exchange })) continue;
        observe(call, choice, error);
        if (exchange.isGone()) throw error;
        const next: Choice | undefined =
          call.tried.length < attemptsMax &&
          isRetryable(error, choice.channel.type) &&
          hasTimeToRetry(call, deps.options(), deps.now())
            ? deps.chooser.choose(tiers, call.tried, wishOf(call, deps.options()))
            : undefined;
        if (!next) throw error;
        call.tried.push(next);
        choice = next;
      }
    }
  };

  return async function serveChat(call: ChatCall, exchange: Exchange): Promise<void> {
    checkGroup(call.admitted, deps.options());
    const found = findTiers(call, deps.table());
    const tiers = call.dialect.endpoint ? serving(found, call) : found;
    const first = deps.chooser.choose(tiers, [], wishOf(call, deps.options()));
    if (!first) throw new RelayError("no_available_channel", `no channel serves the model ${call.model} right now`);
    call.tried.push(first);
    const cached = deps.cache.entryFor(call, first.channel);
    const { meter, charged } = rememberCharge(call, await deps.openMeter(call));
    try {
      if (!cached || !(await cached.serve(exchange, meter))) await tryChannels(call, exchange, tiers, meter);
      cached?.keep(charged());
      callServed(call.dialect.name, call.stream, "ok");
    } catch (error) {
      // A charge that failed half-way keeps its hold: the janitor books it.
      if (!charged()) meter.release();
      callServed(call.dialect.name, call.stream, error instanceof RelayError ? error.code : "internal_error");
      throw error instanceof RelayError ? hideUpstream(error, deps.options()) : error;
    } finally {
      countUsage(call, charged()?.usage);
    }
  };
}
export type ServeChat = ReturnType<typeof createServeChat>;
