import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { CallMeter } from "../../../accounting/holds/meters/call-meter.ts";
import type { Tokenizer } from "../../../accounting/tokens/tokenizer.ts";
import type { Choice } from "../../../core/call/channel.ts";
import { getChargeHeaders } from "../../../core/call/charge-headers.ts";
import type { Exchange } from "../../../core/call/exchange.ts";
import { startKeepAlive } from "../../../core/call/keep-alive.ts";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import { redactAttemptSecrets } from "../../../core/call/secret-redaction.ts";
import type { RelayError } from "../../../core/errors/relay-error.ts";
import { inFlight } from "../../../core/telemetry/relay-metrics.ts";
import type { ChannelBreakers } from "../../../routing/channel-breakers.ts";
import type { UpstreamClient } from "../../../upstream/upstream-client.ts";
import type { Prepared } from "../../prepare/prepared-request.ts";
import type { AttemptOutcomes } from "../../settle/attempt-outcome.ts";
import type { FailureLog } from "../../settle/failure-log.ts";
import { hideUpstreamError } from "../../settle/hidden-errors.ts";
import { EVENTS } from "./client-stream.ts";
import type { DisconnectRules } from "../disconnects.ts";
import { isRelayStopping, type RunningAttempts } from "../running-attempts.ts";
import { attemptStream } from "./stream-attempt.ts";
import type { KeepFailure, StreamResult } from "./stream-input.ts";

type Deps = {
  readonly options: () => OptionsInForce;
  readonly health: ChannelBreakers;
  readonly client: UpstreamClient;
  readonly tokenizer: Tokenizer;
  readonly running: RunningAttempts;
  readonly observer: AttemptOutcomes;
  readonly failures: FailureLog;
  readonly disconnects: DisconnectRules;
  readonly now: () => number;
};

/** Comment text and interval of keep-alives while upstream prepares the non-streaming response. */
const WAITING = "WAITING FOR UPSTREAM";
const WAITING_MS = 5_000;

/** The prepared request of an attempt, the call's meter, and who keeps a failure that was not sent. */
export type AttemptParts = {
  readonly prepared: Prepared;
  readonly meter: CallMeter;
  readonly keepFailure: KeepFailure;
};

const streamOver = (): void => {
  inFlight.streams--;
};

/** Who cut a stream that had begun: upstream, this relay's end, the balance, or the client. */
function cutBy(error: RelayError): "upstream" | "relay" | "client" | "quota" {
  if (error.upstream) return "upstream";
  if (isRelayStopping(error)) return "relay";
  return error.code === "insufficient_user_quota" ? "quota" : "client";
}

/** Makes streaming attempts, and settles each one that reached the caller. */
export function createStreamSender(deps: Deps) {
  const { observer } = deps;
  const streamDeps = { ...deps, learn: deps.disconnects.learn };

  const recordEnd = (call: RelayCall, choice: Choice, error: RelayError | undefined): void => {
    if (!error) observer.succeeded(choice, call.firstByteAtMs);
    else if (error.upstream) {
      observer.failed(call, choice, error);
      deps.failures.attempt(call, error, false);
    } else deps.health.abandoned(choice.channel.id, choice.key);
  };

  /**
   * Applies the consequences of a streamed attempt that reached the caller; resolves when the end of the stream may be
   * sent.
   */
  const endStream = (call: RelayCall, choice: Choice, meter: CallMeter, result: StreamResult): Promise<void> | void => {
    const { error, usage } = result;
    if (error) call.watch.cut = cutBy(error);
    if (!result.isRecorded) recordEnd(call, choice, error);
    const wasServed = usage.promptTokens + usage.completionTokens > 0;
    return error && !wasServed ? meter.release() : meter.charge(result);
  };

  return function sendStreaming(
    call: RelayCall,
    exchange: Exchange,
    choice: Choice,
    parts: AttemptParts,
  ): Promise<void> {
    const { statusCodeMapping } = choice.channel;
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
    const terms = deps.disconnects.getTerms(call, choice);
    const options = deps.options();
    const includesCharge = call.includeCharge || options.flag("UsageCostEnabled");
    const getTrailers = (charge: string | undefined) => getChargeHeaders(charge, options);
    const reported = { includesCharge, getTrailers };
    return attemptStream(streamDeps, { ...whose, ...reported, statusCodeMapping, terms }).finally(streamOver);
  };
}
