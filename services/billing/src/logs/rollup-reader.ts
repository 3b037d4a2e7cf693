import type { ListRollupsRequest, Rollup } from "@turnpike/proto/billing/v1/log_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Collections } from "../store/collections.ts";
import type { RollupDoc, SiteRollupDoc } from "../store/documents.ts";
import { hourOf } from "../usage/usage-sums.ts";

export type RollupReader = ReturnType<typeof createRollupReader>;

const DAYS_MAX = { user: 31, site: 366 } as const;
const DAY_SECONDS = 24 * 3600;
const ROWS_MAX = 50_000;
const TIMEOUT_MS = 10_000;

const toRollup = (doc: SiteRollupDoc & Partial<RollupDoc>): Rollup => ({
  userId: doc.userId ?? 0,
  username: doc.username ?? "",
  modelName: doc.modelName,
  createdAt: doc.hour,
  tokenUsed: doc.promptTokens + doc.completionTokens,
  count: doc.count,
  quota: doc.quota,
});

/** Hourly sums by model, oldest first: one user's (by id or name), or the whole site's. Throws range_too_long. */
export function createRollupReader({ rollups, siteRollups }: Pick<Collections, "rollups" | "siteRollups">) {
  return async function listRollups(request: ListRollupsRequest): Promise<Rollup[]> {
    const { userId, username, startSeconds, endSeconds } = request;
    const isSite = userId === 0 && username === "";
    const days = isSite ? DAYS_MAX.site : DAYS_MAX.user;
    if (endSeconds - startSeconds > days * DAY_SECONDS)
      throw new AppError("range_too_long", "the range is too long", { params: { days: String(days) } });
    const hour = { $gte: hourOf(Math.max(0, startSeconds)), $lte: endSeconds };
    const options = { maxTimeMS: TIMEOUT_MS };
    const found = isSite
      ? await siteRollups.find({ hour }, options).sort({ hour: 1 }).limit(ROWS_MAX).toArray()
      : await rollups
          .find({ ...(userId > 0 ? { userId } : { username }), hour }, options)
          .sort({ hour: 1 })
          .limit(ROWS_MAX)
          .toArray();
    return found.map(toRollup);
  };
}
