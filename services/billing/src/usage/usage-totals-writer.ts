import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import { TOKEN_DAY_TTL_SECONDS } from "../store/calendar.ts";
import type { RollupSums } from "../store/sum-documents.ts";
import { type CostSums, toCostIncrements } from "../store/cost-sums.ts";
import { updateRows } from "../store/row-writes.ts";
import type { UsageTotals } from "./usage-totals.ts";

/** The increments of the quarters of an hour, by the path of their fields. */
const toQuarterIncrements = (quarters: RollupSums["quarters"] = {}): Record<string, number> =>
  Object.fromEntries(
    Object.entries(quarters).flatMap(([quarter, sums]) =>
      Object.entries(sums).map(([field, value]) => [`quarters.${quarter}.${field}`, value]),
    ),
  );

const hourSums = (row: RollupSums & CostSums) => ({
  quota: row.quota,
  count: row.count,
  promptTokens: row.promptTokens,
  completionTokens: row.completionTokens,
  ...toCostIncrements(row),
  ...toQuarterIncrements(row.quarters),
});

/** Redis orders figures by this growing sum: `spent` alone falls when an estimate is taken back. */
const getLowered = (quota: number): { lowered?: number } => (quota < 0 ? { lowered: -quota } : {});

/**
 * Adds the sums; the few rows that every batch updates come first, so that a conflict with another replica shows at
 * once.
 */
export async function writeUsageTotals(
  collections: Collections,
  sums: UsageTotals,
  session: ClientSession,
): Promise<void> {
  const { channelTotals, siteRollups, accounts, tokens, tokenDays, rollups } = collections;
  await updateRows(
    channelTotals,
    sums.channels.map(({ channelId, quota, count }) => ({
      _id: channelId,
      change: { $inc: { quota, requestCount: count } },
    })),
    session,
  );
  await updateRows(
    siteRollups,
    sums.siteRollups.map(({ id, hour, modelName, ...row }) => ({
      _id: id,
      change: { $inc: hourSums(row), $setOnInsert: { hour, modelName } },
    })),
    session,
  );
  await updateRows(
    accounts,
    sums.accounts.map(({ userId, quota, count, lastSeconds }) => ({
      _id: userId,
      change: {
        $inc: { spent: quota, balance: -quota, requestCount: count, ...getLowered(quota) },
        $max: { lastCallAt: lastSeconds },
        $setOnInsert: { credits: 0, rev: 0, changedAtMs: 0 },
      },
    })),
    session,
  );
  await updateRows(
    tokens,
    sums.tokens.map(({ tokenId, quota, lastSeconds }) => ({
      _id: tokenId,
      change: { $inc: { spent: quota, ...getLowered(quota) }, $max: { accessedAt: lastSeconds } },
      upsert: false,
    })),
    session,
  );
  await updateRows(
    tokenDays,
    sums.tokenDays.map(({ id, day, quota }) => {
      const expiresAt = new Date((day + TOKEN_DAY_TTL_SECONDS) * 1_000);
      return { _id: id, change: { $inc: { quota }, $setOnInsert: { expiresAt } } };
    }),
    session,
  );
  await updateRows(
    rollups,
    sums.rollups.map(({ id, hour, modelName, userId, username, ...row }) => ({
      _id: id,
      change: { $inc: hourSums(row), $set: { username }, $setOnInsert: { hour, modelName, userId } },
    })),
    session,
  );
}
