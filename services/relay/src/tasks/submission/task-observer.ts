import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { statusClass } from "@turnpike/shared/telemetry/http-metrics";
import { isNoResponse, type RelayError } from "../../core/errors/relay-error.ts";
import { countChannelResponse, channelFailed } from "../../core/telemetry/channel-metrics.ts";
import type { Activity } from "../../routing/activity.ts";
import type { Choice } from "../../core/call/channel.ts";
import type { ChannelBreakers } from "../../routing/channel-breakers.ts";
import type { ReportChannelFailure } from "../../routing/failure-reporter.ts";
import { CLIENT_ERROR_STATUSES, shouldDisableChannel, parseDisablingKeywords } from "../../routing/retry-rules.ts";

type Deps = {
  readonly options: () => OptionsInForce;
  readonly health: ChannelBreakers;
  readonly activity: Pick<Activity, "succeeded" | "failed" | "waitedMs">;
  readonly reportChannel: ReportChannelFailure;
};

export type TaskObserver = ReturnType<typeof createTaskObserver>;

/** Applies the consequences of each submission for its channel: circuit breaker, statistics, automatic disabling. */
export function createTaskObserver({ options, health, activity, reportChannel }: Deps) {
  return {
    started: ({ channel, key }: Choice): void => health.started(channel.id, key),
    /** Upstream responded, even if it refused this task. */
    responded(choice: Choice): void {
      countChannelResponse(choice.channel.id, activity.waitedMs(choice));
      activity.succeeded(choice);
      health.succeeded(choice.channel.id, choice.key);
    },
    /** An internal error, which is no evidence about upstream. */
    abandoned: ({ channel, key }: Choice): void => health.abandoned(channel.id, key),
    /** The account has no capacity to run image tasks. */
    reportUnusable: (choice: Choice, reason: string): void => reportChannel(choice, { message: reason, status: 0 }),
    failed(choice: Choice, error: RelayError): void {
      channelFailed(choice.channel.id, isNoResponse(error.upstream) ? "no_response" : statusClass(error.status));
      if (CLIENT_ERROR_STATUSES.has(error.status)) return health.abandoned(choice.channel.id, choice.key);
      const hasOpened = health.failed(choice.channel.id, choice.key);
      activity.failed(choice, error);
      const keywords = parseDisablingKeywords(options().text("AutomaticDisableKeywords"));
      const isFailing = hasOpened && error.status !== 429;
      if (isFailing || shouldDisableChannel(error, choice.channel.type, keywords)) reportChannel(choice, error);
    },
  };
}
