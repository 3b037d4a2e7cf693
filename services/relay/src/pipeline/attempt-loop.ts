import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { CallMeter } from "../accounting/holds/call-meter.ts";
import type { Tokenizer } from "../accounting/tokens/tokenizer.ts";
import type { Choice, Tiers } from "../core/call/channel.ts";
import type { Exchange } from "../core/call/exchange.ts";
import type { RelayCall } from "../core/call/relay-call.ts";
import { redactAttemptSecrets } from "../core/call/secret-redaction.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { Chooser } from "../routing/channel-chooser.ts";
import { chooseNext } from "../routing/failover.ts";
import type { Health } from "../routing/health.ts";
import { isRetryable } from "../routing/retry-rules.ts";
import { getRoutingPreferences, hasTimeToRetry } from "../routing/routing-preferences.ts";
import type { StoredFiles } from "../upstream/downloads/stored-files.ts";
import type { UpstreamClient } from "../upstream/upstream-client.ts";
import { attemptEnded, runAttempt } from "./attempt/attempt-telemetry.ts";
import { cancelOnDisconnect } from "./attempt/disconnects.ts";
import { createResponseSender } from "./attempt/response-sender.ts";
import { type AttemptParts, createStreamSender } from "./attempt/stream-sender.ts";
import type { AccessTokens } from "./prepare/access-tokens.ts";
import type { InlineImages } from "./prepare/inline-images.ts";
import { isStreamed, type PhaseTimeouts, prepareRequest } from "./prepare/request-preparation.ts";
import { uploadFirst } from "./prepare/uploads.ts";
import type { AttemptOutcomes } from "./settle/attempt-outcome.ts";

export type AttemptLoopDeps = {
  readonly options: () => OptionsInForce;
  readonly chooser: Chooser;
  readonly health: Health;
  readonly client: UpstreamClient;
  readonly accessTokens: AccessTokens;
  readonly tokenizer: Tokenizer;
  readonly observer: AttemptOutcomes;
  readonly images: InlineImages;
  readonly files: StoredFiles;
  readonly timeouts: PhaseTimeouts;
  readonly now: () => number;
};
type Failure = { readonly choice: Choice; readonly tiers: Tiers; readonly error: RelayError };

/** An access token may be revoked before it expires, which says nothing about the key: it is replaced once. */
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

/**
 * Tries the channels of a call, beginning with the chosen one, until one serves it. Throws the last RelayError if
 * nothing was sent to the caller; after the first byte, failures end inside the stream.
 */
export function createAttemptLoop(deps: AttemptLoopDeps) {
  const sendStreaming = createStreamSender(deps);
  const sendNonStreaming = createResponseSender(deps);

  const sendAttempt = (call: RelayCall, exchange: Exchange, choice: Choice, parts: AttemptParts): Promise<void> => {
    const once = isStreamed(call, parts.prepared.provider) ? sendStreaming : sendNonStreaming;
    if (call.watch.span === undefined) return once(call, exchange, choice, parts);
    return runAttempt(call, choice, () => once(call, exchange, choice, parts));
  };

  /** Records a failed attempt and returns the next one's channel. Throws the error if there is none. */
  const failOver = (call: RelayCall, exchange: Exchange, { choice, tiers, error }: Failure): Choice => {
    if (mayRenewToken(deps, error, choice, { call, exchange })) return choice;
    deps.observer.failed(call, choice, error);
    if (exchange.isDisconnected() || !isRetryable(error, choice.channel.type)) throw error;
    if (!hasTimeToRetry(call, deps.options(), deps.now())) throw error;
    const next = chooseNext(deps, call, tiers, getRoutingPreferences(call, deps.options()));
    if (!next) throw error;
    return next;
  };

  return async function tryChannels(
    call: RelayCall,
    exchange: Exchange,
    tiers: Tiers,
    meter: CallMeter,
  ): Promise<void> {
    for (let choice = call.tried[0]; choice;) {
      deps.health.started(choice.channel.id, choice.key);
      const attemptAt = performance.now();
      let sentAt: number | undefined;
      try {
        // Undefined for most providers, and a promise only while a token is fetched: other calls wait for nothing here.
        const token = deps.accessTokens.of(choice);
        const accessToken = token instanceof Promise ? await token : token;
        const inlined = deps.images.of(call, choice);
        const sent = inlined instanceof Promise ? await inlined : inlined;
        const uploads = uploadFirst(deps, sent, choice, cancelOnDisconnect(choice, exchange));
        const uploaded = uploads && (await uploads);
        const { timeouts, now } = deps;
        const prepared = prepareRequest(sent, choice, {
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
        choice = failOver(call, exchange, { choice, tiers, error });
      }
    }
  };
}
