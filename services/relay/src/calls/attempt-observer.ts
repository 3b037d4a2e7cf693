import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { RelayError } from "../errors/relay-error.ts";
import { errorRecord } from "../metering/usage-record.ts";
import type { UsagePublisher } from "../metering/usage-publisher.ts";
import { channelAnswered, channelFailed } from "../metrics-channels.ts";
import { statusClass } from "@turnpike/shared/telemetry/http-metrics";
import type { Activity } from "../routing/activity.ts";
import type { Choice } from "../routing/choose.ts";
import type { Health } from "../routing/health.ts";
import type { Latencies } from "../routing/latencies.ts";
import type { Rests } from "../routing/rests.ts";
import type { ReportChannel } from "../routing/report-channel.ts";
import { asksForDisabling, disablingKeywords, isOfWholeChannel, refusesAccount } from "../routing/retry.ts";
import type { ChatCall } from "./chat-call.ts";

type Deps = {
  readonly options: () => OptionsInForce;
  readonly health: Health;
  readonly activity: Pick<Activity, "succeeded" | "failed" | "waitedMs">;
  readonly rests: Pick<Rests, "begin">;
  readonly latencies: Pick<Latencies, "note">;
  readonly publisher: UsagePublisher;
  readonly reportChannel: ReportChannel;
  readonly now: () => number;
};

/** Statuses that say nothing about the channel: the caller's own request was at fault. */
const CALLERS_FAULT = new Set([400, 404, 405, 413, 415, 422]);
const TOO_MANY = 429;

export type AttemptObserver = ReturnType<typeof createAttemptObserver>;

/** Draws the consequences of each attempt: breaker, metrics, automatic disabling, error log. */
export function createAttemptObserver(deps: Deps) {
  const rest = ({ model }: ChatCall, { channel, key }: Choice, { retryAfterSeconds }: RelayError): void => {
    if (retryAfterSeconds === undefined) return;
    const seconds = Math.min(retryAfterSeconds, deps.options().number("RetryAfterMaxSeconds"));
    if (seconds > 0) deps.rests.begin({ channelId: channel.id, key, model }, seconds);
  };
  return {
    /** A stream says when its first byte went out; a whole answer is there now. */
    succeeded(choice: Choice, firstByteAtMs?: number): void {
      const waitedMs = deps.activity.waitedMs(choice, firstByteAtMs);
      channelAnswered(choice.channel.id, waitedMs);
      if (choice.lane !== undefined && waitedMs !== undefined)
        deps.latencies.note(choice.channel.id, choice.lane, waitedMs);
      deps.activity.succeeded(choice, firstByteAtMs);
      deps.health.succeeded(choice.channel.id, choice.key);
    },
    failed(call: ChatCall, choice: Choice, error: RelayError): void {
      const options = deps.options();
      channelFailed(
        choice.channel.id,
        error.upstream?.code === "no_answer" ? "no_answer" : error.upstream ? statusClass(error.status) : "own",
      );
      let opened: "key" | "channel" | undefined;
      if (!error.upstream || (CALLERS_FAULT.has(error.status) && !refusesAccount(error.upstream)))
        deps.health.abandoned(choice.channel.id, choice.key);
      else {
        const { id, keys } = choice.channel;
        opened = deps.health.failed(id, choice.key, isOfWholeChannel(error) ? keys : undefined);
        deps.activity.failed(choice, error);
        rest(call, choice, error);
      }
      const keywords = disablingKeywords(options.text("AutomaticDisableKeywords"));
      // An upstream that is busy is not unfit: its breaker is enough.
      const isFailing = opened !== undefined && error.status !== TOO_MANY;
      if (isFailing || asksForDisabling(error, choice.channel.type, keywords, call.body))
        deps.reportChannel(choice, error, opened === "channel");
      if (options.flag("LogErrorEnabled")) deps.publisher.add(errorRecord(call, error, deps.now()));
    },
  };
}

const BUSY = "the upstreams of this group are saturated, try again later";

/**
 * With `global.hide_upstream_error_enabled`, callers learn the status alone, and when to come back. Of 429 as well: providers name the
 * operator's organization and limits in it.
 */
export function hideUpstream(error: RelayError, options: OptionsInForce): RelayError {
  // Where upstream gave no answer, the words are ours.
  const isTheirs = error.upstream !== undefined && error.upstream.code !== "no_answer";
  if (!isTheirs || !options.flag("global.hide_upstream_error_enabled")) return error;
  const { code, status, retryAfterSeconds } = error;
  const message = status === TOO_MANY ? BUSY : `upstream answered with status ${status}`;
  return new RelayError(code, message, {
    status,
    upstream: { message, type: undefined, code: undefined, param: undefined },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
