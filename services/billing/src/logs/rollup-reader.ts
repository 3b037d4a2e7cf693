import type { ListRollupsRequest, Rollup } from "@turnpike/proto/billing/v1/log_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { mongo } from "mongoose";
import type { Collections } from "../store/collections.ts";
import { DAY_SECONDS, getHour, QUARTER_SECONDS } from "../store/calendar.ts";
import type { RollupSums } from "../store/sum-documents.ts";

export type RollupReader = ReturnType<typeof createRollupReader>;

const DAYS_MAX = { user: 31, site: 366 } as const;
const ROWS_MAX = 50_000;
const TIMEOUT_MS = 10_000;

/** The hours of one user and model, in columns. */
type Columns = {
  readonly _id: { readonly userId?: number; readonly username?: string; readonly modelName: string };
  readonly hours: number[];
  readonly tokens: number[];
  readonly counts: number[];
  readonly quotas: number[];
  readonly knownCounts?: number[];
  readonly knownQuotas?: number[];
  readonly costs?: number[];
  readonly quarters?: (RollupSums["quarters"] | null)[];
};

// A site's month is some ten thousand documents, and reading each costs more than all its figures in four lists.
const COLUMNS = {
  hours: { $push: "$hour" },
  tokens: { $push: { $add: ["$promptTokens", "$completionTokens"] } },
  counts: { $push: "$count" },
  quotas: { $push: "$quota" },
};
/** Hours of an earlier version, and those with calls in their first quarter alone, lack it. */
const QUARTER_COLUMNS = { quarters: { $push: { $ifNull: ["$quarters", null] } } };
/** Hours without a known cost lack these fields; $push would leave them out. */
const COST_COLUMNS = {
  knownCounts: { $push: { $ifNull: ["$costCount", 0] } },
  knownQuotas: { $push: { $ifNull: ["$costQuota", 0] } },
  costs: { $push: { $ifNull: ["$cost", 0] } },
};

/** What of an hour came in its later quarters, each at its own start, and the rest at the start of the hour. */
function splitQuarters(hour: Rollup, quarters: RollupSums["quarters"] | null | undefined): Rollup[] {
  const later = Object.entries(quarters ?? {}).map(([quarter, { count, quota, tokens }]): Rollup => {
    const createdAt = hour.createdAt + Number(quarter) * QUARTER_SECONDS;
    return { ...hour, createdAt, count, quota, tokenUsed: tokens, knownCount: 0, knownQuota: 0, cost: 0 };
  });
  const rest = { ...hour };
  for (const { count, quota, tokenUsed } of later) {
    rest.count -= count;
    rest.quota -= quota;
    rest.tokenUsed -= tokenUsed;
  }
  const isEmpty = [rest.count, rest.quota, rest.tokenUsed, rest.knownCount].every((sum) => sum === 0);
  return [...(isEmpty ? [] : [rest]), ...later];
}

const toRollups = (columns: Columns): Rollup[] => {
  const { _id, hours, tokens, counts, quotas, knownCounts, knownQuotas, costs, quarters } = columns;
  const rows = hours.map((createdAt, index) => ({
    userId: _id.userId ?? 0,
    username: _id.username ?? "",
    modelName: _id.modelName,
    createdAt,
    tokenUsed: tokens[index] ?? 0,
    count: counts[index] ?? 0,
    quota: quotas[index] ?? 0,
    knownCount: knownCounts?.[index] ?? 0,
    knownQuota: knownQuotas?.[index] ?? 0,
    cost: costs?.[index] ?? 0,
  }));
  return quarters ? rows.flatMap((row, index) => splitQuarters(row, quarters[index])) : rows;
};

/**
 * Hourly sums by model, oldest first: one user's (by id or name), or the whole site's; with costs except for a user named by id, who
 * may be reading. On request hours are split into their quarters; costs stay with the whole hour. Throws range_too_long.
 */
export function createRollupReader({ rollups, siteRollups }: Pick<Collections, "rollups" | "siteRollups">) {
  const readColumns = async <Doc extends mongo.Document>(
    collection: mongo.Collection<Doc>,
    query: mongo.Filter<Doc>,
    group: Readonly<Record<string, unknown>>,
  ): Promise<Columns[]> =>
    collection
      .aggregate<Columns>([{ $match: query }, { $sort: { hour: 1 } }, { $limit: ROWS_MAX }, { $group: group }], {
        maxTimeMS: TIMEOUT_MS,
      })
      .toArray();

  return async function listRollups(request: ListRollupsRequest): Promise<Rollup[]> {
    const { userId, username, startSeconds, endSeconds } = request;
    const isSite = userId === 0 && username === "";
    const days = isSite ? DAYS_MAX.site : DAYS_MAX.user;
    if (endSeconds - startSeconds > days * DAY_SECONDS)
      throw new AppError("range_too_long", "the range is too long", { params: { days: String(days) } });
    const hour = { $gte: getHour(Math.max(0, startSeconds)), $lte: endSeconds };
    const columns = {
      ...COLUMNS,
      ...(userId > 0 ? {} : COST_COLUMNS),
      ...(request.quarterHours ? QUARTER_COLUMNS : {}),
    };
    const user = userId > 0 ? { userId } : { username };
    const found = isSite
      ? await readColumns(siteRollups, { hour }, { _id: { modelName: "$modelName" }, ...columns })
      : await readColumns(
          rollups,
          { ...user, hour },
          { _id: { userId: "$userId", username: "$username", modelName: "$modelName" }, ...columns },
        );
    return found.flatMap(toRollups).toSorted((a, b) => a.createdAt - b.createdAt);
  };
}
