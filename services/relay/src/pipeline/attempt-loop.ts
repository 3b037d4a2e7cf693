import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { CallMeter } from "../accounting/holds/meters/call-meter.ts";
import type { Tokenizer } from "../accounting/tokens/tokenizer.ts";
import type { Choice, Tiers } from "../core/call/channel.ts";
import { type Exchange, waitWithClient } from "../core/call/exchange.ts";
import type { HiddenReasoning } from "../accounting/tokens/hidden-reasoning.ts";
import type { RelayCall } from "../core/call/relay-call.ts";
import { setRouteHeaders } from "../core/call/route-headers.ts";
import { redactAttemptSecrets } from "../core/call/secret-redaction.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { Chooser } from "../routing/channel-chooser.ts";
import { chooseNext, chooseSame } from "../routing/failover.ts";
import type { ChannelBreakers } from "../routing/channel-breakers.ts";
import { getSameAccountDelay, isRetryable } from "../routing/retry-rules.ts";
import { hasTimeToRetry } from "../routing/routing-preferences.ts";
import type { StoredFiles } from "../upstream/downloads/stored-files.ts";
import type { UpstreamClient } from "../upstream/upstream-client.ts";
import { attemptEnded, runAttempt } from "./attempt/attempt-telemetry.ts";
import { cancelOnDisconnect, clientDisconnected, createDisconnectRules } from "./attempt/disconnects.ts";
import type { RunningAttempts } from "./attempt/running-attempts.ts";
import { createResponseSender } from "./attempt/response-sender.ts";
import { getPreferences } from "./candidates.ts";
import { type AttemptParts, createStreamSender } from "./attempt/stream/stream-sender.ts";
import type { KeepFailure } from "./attempt/stream/stream-input.ts";
import type { AccessTokens } from "./prepare/access-tokens.ts";
import type { InlineImages } from "./prepare/inline-images.ts";
import { createReasoningFields, type ReasoningFields } from "./prepare/reasoning-fields.ts";
import type { PhaseTimeouts, Prepared } from "./prepare/prepared-request.ts";
import { prepareRequest } from "./prepare/request-preparation.ts";
import { isStreamed } from "./prepare/serving-rules.ts";
import { uploadFirst } from "./prepare/uploads.ts";
import type { AttemptOutcomes } from "./settle/attempt-outcome.ts";
import { type FailedAttempt, failOver } from "./settle/failover-step.ts";
import type { FailureLog } from "./settle/failure-log.ts";
import { isEndpointMissing } from "./settle/missing-endpoint.ts";

export type AttemptLoopDeps = {
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly health: ChannelBreakers;
  readonly hiddenReasoning: HiddenReasoning;
  readonly client: UpstreamClient;
  readonly accessTokens: AccessTokens;
  readonly tokenizer: Tokenizer;
  readonly running: RunningAttempts;
  readonly observer: AttemptOutcomes;
  readonly failures: FailureLog;
  readonly images: InlineImages;
  readonly files: StoredFiles;
  readonly timeouts: PhaseTimeouts;
  readonly now: () => number;
};
type Failure = FailedAttempt & { readonly tiers: Tiers };

/** An access token may be revoked before it expires, which is no fault of the key: it is replaced once. */
function mayRenewToken(
  { accessTokens, health }: AttemptLoopDeps,
  { status }: RelayError,
  choice: Choice,
  { call, exchange }: { readonly call: RelayCall; readonly exchange: Exchange },
): boolean {
  if (status !== 401 || !accessTokens.forget(choice, call.startedAtMs) || exchange.isDisconnected()) return false;
  health.abandoned(choice.channel.id, choice.key);
  return true;
}

/** Waits, not longer than the client does. */
const pause = (ms: number, exchange: Exchange): Promise<void> =>
  waitWithClient(exchange, (finish) => {
    const timer = setTimeout(finish, ms);
    return () => clearTimeout(timer);
  });

/** Prepares the request of an attempt, with what must be fetched or uploaded before it. */
async function prepareAttempt(
  deps: AttemptLoopDeps & { readonly reasoningFields: ReasoningFields },
  choice: Choice,
  { call, exchange }: { readonly call: RelayCall; readonly exchange: Exchange },
): Promise<Prepared> {
  // Undefined for most providers, and a promise only while a token is fetched: other calls wait for nothing here.
  const token = deps.accessTokens.of(choice);
  const accessToken = token instanceof Promise ? await token : token;
  const inlined = deps.images.of(call, choice);
  const sent = inlined instanceof Promise ? await inlined : inlined;
  const uploads = uploadFirst(deps, sent, choice, cancelOnDisconnect(choice, exchange));
  const uploaded = uploads && (await uploads);
  const prepared = prepareRequest(sent, choice, {
    options: deps.options(),
    timeouts: deps.timeouts,
    nowMs: deps.now(),
    accessToken,
    uploaded,
    reasoningFields: deps.reasoningFields,
  });
  if (exchange.isDisconnected()) throw clientDisconnected();
  return prepared;
}

/** The channel of the next attempt, after a pause where it is the same again; undefined if the call cannot be retried. */
async function findNext(
  deps: AttemptLoopDeps,
  { choice, tiers, error }: Failure,
  { call, exchange }: { readonly call: RelayCall; readonly exchange: Exchange },
): Promise<Choice | undefined> {
  if (exchange.isDisconnected() || !isRetryable(error, choice.channel.type)) return undefined;
  if (!hasTimeToRetry(call, deps.options(), deps.now())) return undefined;
  const next = chooseNext(
    deps,
    call,
    tiers,
    getPreferences(call, deps.options(), () => error),
  );
  if (next || !call.isBound) return next;
  const delayMs = getSameAccountDelay(error, call.tried.length);
  if (delayMs === undefined) return undefined;
  const same = chooseSame(deps, call);
  if (same) await pause(delayMs, exchange);
  return same;
}

/** The account of a failed attempt again, over chat, where its server does not have the endpoint of the call; undefined otherwise. */
function fallBackToChat(call: RelayCall, { choice, error }: Failure, exchange: Exchange): Choice | undefined {
  const { endpoint } = call.dialect;
  if (!endpoint?.fallsBackToChat || call.isOverChat || exchange.isDisconnected()) return undefined;
  if (endpoint.ownField?.(call.body) !== undefined || !isEndpointMissing(error)) return undefined;
  call.isOverChat = true;
  call.tried.push(choice);
  return choice;
}

/**
 * Tries the channels of a call, beginning with the chosen one, until one serves it. Throws the last RelayError if
 * nothing was sent to the caller; after the first byte, failures end inside the stream.
 */
export function createAttemptLoop(deps: AttemptLoopDeps) {
  const disconnects = createDisconnectRules(deps.options, deps.hiddenReasoning);
  const reasoningFields = createReasoningFields();
  const sendStreaming = createStreamSender({ ...deps, disconnects });
  const sendNonStreaming = createResponseSender({ ...deps, disconnects });

  const sendAttempt = (call: RelayCall, exchange: Exchange, choice: Choice, parts: AttemptParts): Promise<void> => {
    const once = isStreamed(call, parts.prepared.provider) ? sendStreaming : sendNonStreaming;
    if (call.watch.span === undefined) return once(call, exchange, choice, parts);
    return runAttempt(call, choice, () => once(call, exchange, choice, parts));
  };

  /** The channel of the attempt after a failed one: the same one with a new token, or the next. Throws the error if there is none. */
  const chooseAfter = async (call: RelayCall, exchange: Exchange, failure: Failure): Promise<Choice> => {
    const { choice, error } = failure;
    if (mayRenewToken(deps, error, choice, { call, exchange })) return choice;
    const find = async () =>
      (await findNext(deps, failure, { call, exchange })) ?? fallBackToChat(call, failure, exchange);
    return failOver(deps, call, failure, find);
  };

  return async function tryChannels(
    call: RelayCall,
    exchange: Exchange,
    tiers: Tiers,
    meter: CallMeter,
  ): Promise<void> {
    for (let choice = call.tried[0]; choice;) {
      setRouteHeaders(exchange, call);
      deps.health.started(choice.channel.id, choice.key);
      const attemptAt = performance.now();
      let sentAt: number | undefined;
      let sendFailure: (() => Promise<void>) | undefined;
      try {
        const prepared = await prepareAttempt({ ...deps, reasoningFields }, choice, { call, exchange });
        sentAt = performance.now();
        const keepFailure: KeepFailure = (send) => (sendFailure = send);
        await sendAttempt(call, exchange, choice, { prepared, meter, keepFailure });
        return attemptEnded(call, choice, sentAt);
      } catch (thrown) {
        const error = thrown instanceof RelayError ? redactAttemptSecrets(choice, thrown) : thrown;
        if (sentAt !== undefined) attemptEnded(call, choice, sentAt, error);
        if (!(error instanceof RelayError)) {
          // An internal error is no evidence about upstream; without this, a half-open probe would never end.
          deps.health.abandoned(choice.channel.id, choice.key);
          throw error;
        }
        call.watch.upstreamMs += performance.now() - attemptAt;
        choice = await chooseAfter(call, exchange, { choice, tiers, error }).catch(async (last: unknown) => {
          if (!sendFailure || call.route?.isRetried(last)) throw last;
          await sendFailure();
          return undefined;
        });
      }
    }
  };
}
