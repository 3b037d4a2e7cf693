import type { ListRollupsRequest, Rollup } from "@turnpike/proto/billing/v1/log_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { mongo } from "mongoose";
import type { Collections } from "../store/collections.ts";
import { getHour } from "../store/calendar.ts";

export type RollupReader = ReturnType<typeof createRollupReader>;

const DAYS_MAX = { user: 31, site: 366 } as const;
const DAY_SECONDS = 24 * 3600;
const ROWS_MAX = 50_000;
const TIMEOUT_MS = 10_000;

/** The hours of one user and model, in columns. */
type Columns = {
  readonly _id: { readonly userId?: number; readonly username?: string; readonly modelName: string };
  readonly hours: number[];
  readonly tokens: number[];
  readonly counts: number[];
  readonly quotas: number[];
};

// A site's month is some ten thousand documents, and reading each costs more than all its figures in four lists.
const COLUMNS = {
  hours: { $push: "$hour" },
  tokens: { $push: { $add: ["$promptTokens", "$completionTokens"] } },
  counts: { $push: "$count" },
  quotas: { $push: "$quota" },
};

const toRollups = ({ _id, hours, tokens, counts, quotas }: Columns): Rollup[] =>
  hours.map((createdAt, index) => ({
    userId: _id.userId ?? 0,
    username: _id.username ?? "",
    modelName: _id.modelName,
    createdAt,
    tokenUsed: tokens[index] ?? 0,
    count: counts[index] ?? 0,
    quota: quotas[index] ?? 0,
  }));

/** Hourly sums by model, oldest first: one user's (by id or name), or the whole site's. Throws range_too_long. */
export function createRollupReader({ rollups, siteRollups }: Pick<Collections, "rollups" | "siteRollups">) {
  const readColumns = async <Doc extends mongo.Document>(
    collection: mongo.Collection<Doc>,
    query: mongo.Filter<Doc>,
    _id: Readonly<Record<string, string>>,
  ): Promise<Columns[]> =>
    collection
      .aggregate<Columns>(
        [{ $match: query }, { $sort: { hour: 1 } }, { $limit: ROWS_MAX }, { $group: { _id, ...COLUMNS } }],
        { maxTimeMS: TIMEOUT_MS },
      )
      .toArray();

  return async function listRollups(request: ListRollupsRequest): Promise<Rollup[]> {
    const { userId, username, startSeconds, endSeconds } = request;
    const isSite = userId === 0 && username === "";
    const days = isSite ? DAYS_MAX.site : DAYS_MAX.user;
    if (endSeconds - startSeconds > days * DAY_SECONDS)
      throw new AppError("range_too_long", "the range is too long", { params: { days: String(days) } });
    const hour = { $gte: getHour(Math.max(0, startSeconds)), $lte: endSeconds };
    const ofUser = userId > 0 ? { userId } : { username };
    const columns = isSite
      ? await readColumns(siteRollups, { hour }, { modelName: "$modelName" })
      : await readColumns(
          rollups,
          { ...ofUser, hour },
          { userId: "$userId", username: "$username", modelName: "$modelName" },
        );
    return columns.flatMap(toRollups).toSorted((a, b) => a.createdAt - b.createdAt);
  };
}
