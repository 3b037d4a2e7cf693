import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { isNoResponse, type RelayError } from "../../core/errors/relay-error.ts";
import { countChannelResponse, channelFailed } from "../../core/telemetry/channel-metrics.ts";
import { statusClass } from "@turnpike/shared/telemetry/http-metrics";
import type { Activity } from "../../routing/activity.ts";
import type { Choice } from "../../core/call/channel.ts";
import type { ChannelBreakers } from "../../routing/channel-breakers.ts";
import type { Latencies } from "../../routing/latencies.ts";
import type { Cooldowns } from "../../routing/cooldowns.ts";
import type { ReportChannelFailure } from "../../routing/failure-reporter.ts";
import {
  shouldDisableChannel,
  parseDisablingKeywords,
  isChannelFailure,
  CLIENT_ERROR_STATUSES,
  refusesAccount,
} from "../../routing/retry-rules.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";

type Deps = {
  readonly options: () => OptionsInForce;
  readonly health: ChannelBreakers;
  readonly activity: Pick<Activity, "succeeded" | "failed" | "waitedMs">;
  readonly cooldowns: Pick<Cooldowns, "begin">;
  readonly latencies: Pick<Latencies, "record">;
  readonly reportChannel: ReportChannelFailure;
};

/** The server lacks an endpoint, which is no evidence about the others. */
const NOT_IMPLEMENTED = 501;

/** Whether a failure is evidence about the account, not about the call. */
const isOfAccount = ({ upstream, status }: RelayError): boolean =>
  upstream !== undefined &&
  !upstream.isOfModel &&
  status !== NOT_IMPLEMENTED &&
  (!CLIENT_ERROR_STATUSES.has(status) || refusesAccount(upstream));
const TOO_MANY = 429;

export type AttemptOutcomes = ReturnType<typeof createAttemptOutcomes>;

/** Applies the consequences of each attempt: circuit breaker, metrics, automatic disabling. */
export function createAttemptOutcomes(deps: Deps) {
  const rest = ({ model }: RelayCall, { channel, key }: Choice, { retryAfterSeconds }: RelayError): void => {
    if (retryAfterSeconds === undefined) return;
    const seconds = Math.min(retryAfterSeconds, deps.options().number("RetryAfterMaxSeconds"));
    if (seconds > 0) deps.cooldowns.begin({ channelId: channel.id, key, model }, seconds);
  };
  return {
    /** A stream reports when its first byte was sent; for a non-streaming response that time is now. */
    succeeded(choice: Choice, firstByteAtMs?: number): void {
      const waitedMs = deps.activity.waitedMs(choice, firstByteAtMs);
      countChannelResponse(choice.channel.id, waitedMs);
      if (choice.latencyKey !== undefined && waitedMs !== undefined)
        deps.latencies.record(choice.channel.id, choice.latencyKey, waitedMs);
      deps.activity.succeeded(choice, firstByteAtMs);
      deps.health.succeeded(choice.channel.id, choice.key);
    },
    failed(call: RelayCall, choice: Choice, error: RelayError): void {
      const options = deps.options();
      channelFailed(
        choice.channel.id,
        isNoResponse(error.upstream) ? "no_response" : error.upstream ? statusClass(error.status) : "own",
      );
      let opened: "key" | "channel" | undefined;
      if (!isOfAccount(error)) deps.health.abandoned(choice.channel.id, choice.key);
      else {
        const { id, keys } = choice.channel;
        opened = deps.health.failed(id, choice.key, isChannelFailure(error) ? keys : undefined);
        deps.activity.failed(choice, error);
        rest(call, choice, error);
      }
      const keywords = parseDisablingKeywords(options.text("AutomaticDisableKeywords"));
      // A busy upstream is not faulty: its breaker is enough.
      const isFailing = opened !== undefined && error.status !== TOO_MANY;
      if (isFailing || shouldDisableChannel(error, choice.channel.type, keywords, call.body))
        deps.reportChannel(choice, error, opened === "channel");
    },
  };
}
