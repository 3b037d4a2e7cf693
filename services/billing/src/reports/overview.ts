import type { GetOverviewRequest, GetOverviewResponse, HourHealth } from "@turnpike/proto/billing/v1/report_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Collections } from "../store/collections.ts";
import { DAY_SECONDS, getDayStart, getHour } from "../store/calendar.ts";
import type { HourHealthDoc } from "../store/report-documents.ts";

export type ReadOverview = ReturnType<typeof createOverview>;

const TOP_MAX = 10;
const DAYS_MAX = 31;
const TIMEOUT_MS = 5_000;

const toHour = ({ _id, count, errors, total, firstToken }: HourHealthDoc): HourHealth => ({
  hour: _id,
  count,
  errorCount: errors,
  totalSteps: total ?? {},
  firstTokenSteps: firstToken ?? {},
});

const sumsBy = (id: string, name: string) => ({
  _id: `$${id}`,
  [name]: { $last: `$${name}` },
  count: { $sum: "$count" },
  quota: { $sum: "$quota" },
  tokenUsed: { $sum: "$tokens" },
  knownCount: { $sum: "$costCount" },
  knownQuota: { $sum: "$costQuota" },
  cost: { $sum: "$cost" },
});

type CostSums = { readonly knownCount: number; readonly knownQuota: number; readonly cost: number };

/** Top users, top channels, and the site's latency by hour. Throws range_too_long. */
export function createOverview({
  hourHealth,
  channelDays,
  userDays,
}: Pick<Collections, "hourHealth" | "channelDays" | "userDays">) {
  return async function readOverview({ startSeconds, endSeconds }: GetOverviewRequest): Promise<GetOverviewResponse> {
    if (endSeconds - startSeconds > DAYS_MAX * DAY_SECONDS)
      throw new AppError("range_too_long", "the range is too long", { params: { days: String(DAYS_MAX) } });
    const firstDay = getDayStart(Math.max(0, startSeconds));
    const options = { maxTimeMS: TIMEOUT_MS };
    const most = [{ $sort: { quota: -1, count: -1, _id: 1 } }, { $limit: TOP_MAX }];
    const inPeriod = { $match: { day: { $gte: firstDay, $lte: endSeconds } } };
    const [users, channels, hours] = await Promise.all([
      userDays
        .aggregate<CostSums & { _id: number; username: string; count: number; quota: number; tokenUsed: number }>(
          [inPeriod, { $group: sumsBy("userId", "username") }, ...most],
          options,
        )
        .toArray(),
      channelDays
        .aggregate<
          CostSums & {
            _id: number;
            channelName: string;
            count: number;
            quota: number;
            tokenUsed: number;
            errorCount: number;
            totalMs: number;
          }
        >(
          [
            inPeriod,
            {
              $group: {
                ...sumsBy("channelId", "channelName"),
                errorCount: { $sum: "$errors" },
                totalMs: { $sum: "$totalMs" },
              },
            },
            ...most,
          ],
          options,
        )
        .toArray(),
      hourHealth
        .find({ _id: { $gte: getHour(Math.max(0, startSeconds)), $lte: endSeconds } }, options)
        .sort({ _id: 1 })
        .toArray(),
    ]);
    return {
      firstDay,
      users: users.map(({ _id, ...user }) => ({ userId: _id, ...user })),
      channels: channels.map(({ _id, ...channel }) => ({ channelId: _id, ...channel })),
      hours: hours.map(toHour),
    };
  };
}
