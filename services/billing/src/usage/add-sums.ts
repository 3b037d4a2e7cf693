import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { RollupSums } from "../store/documents.ts";
import type { UsageSums } from "./usage-sums.ts";

const hourSums = (row: RollupSums) => ({
  quota: row.quota,
  count: row.count,
  promptTokens: row.promptTokens,
  completionTokens: row.completionTokens,
});

/** Adds the sums; the few rows that every batch touches come first, so that a conflict with another replica shows at once. */
export async function addSums(collections: Collections, sums: UsageSums, session: ClientSession): Promise<void> {
  const { channelTotals, siteRollups, accounts, tokens, rollups } = collections;
  const upsert = true;
  if (sums.channels.length > 0) {
    const operations = sums.channels.map(({ channelId, quota, count }) => ({
      updateOne: { filter: { _id: channelId }, update: { $inc: { quota, requestCount: count } }, upsert },
    }));
    await channelTotals.bulkWrite(operations, { session });
  }
  if (sums.siteRollups.length > 0) {
    const operations = sums.siteRollups.map(({ id, hour, modelName, ...row }) => ({
      updateOne: {
        filter: { _id: id },
        update: { $inc: hourSums(row), $setOnInsert: { hour, modelName } },
        upsert,
      },
    }));
    await siteRollups.bulkWrite(operations, { session });
  }
  if (sums.accounts.length > 0) {
    const operations = sums.accounts.map(({ userId, quota, count }) => ({
      updateOne: {
        filter: { _id: userId },
        update: { $inc: { spent: quota, requestCount: count }, $setOnInsert: { credits: 0, rev: 0, changedAtMs: 0 } },
        upsert,
      },
    }));
    await accounts.bulkWrite(operations, { session });
  }
  if (sums.tokens.length > 0) {
    const operations = sums.tokens.map(({ tokenId, quota, lastSeconds }) => ({
      updateOne: { filter: { _id: tokenId }, update: { $inc: { spent: quota }, $max: { accessedAt: lastSeconds } } },
    }));
    await tokens.bulkWrite(operations, { session });
  }
  if (sums.rollups.length > 0) {
    const operations = sums.rollups.map(({ id, hour, modelName, userId, username, ...row }) => ({
      updateOne: {
        filter: { _id: id },
        update: { $inc: hourSums(row), $set: { username }, $setOnInsert: { hour, modelName, userId } },
        upsert,
      },
    }));
    await rollups.bulkWrite(operations, { session });
  }
}
