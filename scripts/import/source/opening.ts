import type { ClientSession } from "mongoose";
import { type UserDoc, userModel } from "../../../services/auth/src/users/user-model.ts";
import type { ImportContext } from "../tables/import-context.ts";
import type { SourceId } from "./install-reader.ts";

export type Opening = {
  readonly userId: number;
  readonly sourceId: SourceId;
  readonly quota: number;
  readonly used: number;
  readonly requestCount: number;
};

/** Usage before the first imported hour is stored in this hour, without a model. */
export const OPENING_HOUR = 0;
export const OPENING_MODEL = "";

/**
 * Creates an account's opening balance: one credit of all quota ever received, and the used part in the hourly sums.
 */
export async function addOpening(context: ImportContext, opening: Opening, session: ClientSession): Promise<void> {
  const { collections, label, reader } = context;
  const { accounts, ledger } = collections;
  const { userId, sourceId, quota, used, requestCount } = opening;
  const nowMs = Date.now();
  const account = await accounts.findOneAndUpdate(
    { _id: userId },
    {
      $inc: { credits: quota + used, spent: used, balance: quota, requestCount, rev: 1 },
      $set: { changedAtMs: nowMs },
    },
    { session, upsert: true, returnDocument: "after" },
  );
  await ledger.insertOne(
    {
      _id: `import:${label}:user:${sourceId}`,
      userId,
      kind: "admin",
      amount: quota + used,
      creditsAfter: account?.credits ?? 0,
      quotaAfter: (account?.credits ?? 0) - (account?.spent ?? 0),
      reason: `从 ${reader.product} 迁移`,
      createdAtMs: nowMs,
    },
    { session },
  );
  await addToOpeningHour(context, { userId, quota: used, count: requestCount }, session);
}

/** Adds to the opening usage; negative when imported log rows are already included in it. */
export async function addToOpeningHour(
  { collections }: Pick<ImportContext, "collections">,
  sums: { readonly userId: number; readonly quota: number; readonly count: number },
  session: ClientSession,
): Promise<void> {
  const { rollups, siteRollups } = collections;
  const { userId, quota, count } = sums;
  if (quota === 0 && count === 0) return;
  const at = { hour: OPENING_HOUR, modelName: OPENING_MODEL, promptTokens: 0, completionTokens: 0 };
  const site = `${OPENING_HOUR}:${OPENING_MODEL}`;
  await rollups.updateOne(
    { _id: `${userId}:${site}` },
    { $inc: { quota, count }, $setOnInsert: { ...at, userId, username: "" } },
    { session, upsert: true },
  );
  await siteRollups.updateOne({ _id: site }, { $inc: { quota, count }, $setOnInsert: at }, { session, upsert: true });
}

const IDS_AT_ONCE = 10_000;

/** Current totals of accounts and users, read back from the database. */
export async function readBalances({ collections, connection }: ImportContext, ids: readonly number[]) {
  const sums = { rows: 0, balance: 0, used: 0, earnings: 0 };
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const part = ids.slice(start, start + IDS_AT_ONCE);
    const accounts = await collections.accounts.find({ _id: { $in: part } }).toArray();
    for (const { credits, spent } of accounts) {
      sums.balance += credits - spent;
      sums.used += spent;
    }
    const users = await userModel(connection)
      .find({ _id: { $in: part } }, { affQuota: 1 })
      .lean<Pick<UserDoc, "affQuota">[]>();
    for (const { affQuota } of users) {
      sums.rows++;
      sums.earnings += affQuota;
    }
  }
  return sums;
}
