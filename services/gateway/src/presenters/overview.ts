import type { Overview } from "@turnpike/contract/api/report";
import type { GetOverviewResponse, TopChannel } from "@turnpike/proto/billing/v1/report_service";

const textKeys = (steps: Readonly<Record<number, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(steps));

const toKnownCost = ({ knownCount, knownQuota, cost }: Pick<TopChannel, "knownCount" | "knownQuota" | "cost">) => ({
  known_count: knownCount,
  known_quota: knownQuota,
  cost,
});

const toTopChannel = (channel: TopChannel): Overview["channels"][number] => ({
  channel_id: channel.channelId,
  channel_name: channel.channelName,
  count: channel.count,
  quota: channel.quota,
  token_used: channel.tokenUsed,
  error_count: channel.errorCount,
  average_ms: channel.count === 0 ? 0 : Math.round(channel.totalMs / channel.count),
  ...toKnownCost(channel),
});

/** The overview as the dashboard reads it. */
export const toOverview = (found: GetOverviewResponse, errorsLogged: boolean): Overview => ({
  first_day: found.firstDay,
  users: found.users.map((user) => ({
    user_id: user.userId,
    username: user.username,
    count: user.count,
    quota: user.quota,
    token_used: user.tokenUsed,
    ...toKnownCost(user),
  })),
  channels: found.channels.map(toTopChannel),
  hours: found.hours.map((hour) => ({
    hour: hour.hour,
    count: hour.count,
    error_count: hour.errorCount,
    total_steps: textKeys(hour.totalSteps),
    first_token_steps: textKeys(hour.firstTokenSteps),
  })),
  errors_logged: errorsLogged,
});
