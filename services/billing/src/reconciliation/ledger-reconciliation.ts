import { IN_SNAPSHOT } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection, mongo } from "mongoose";
import { createLogState } from "../logs/log-state.ts";
import type { Collections } from "../store/collections.ts";
import { exactSum, readExactSum } from "../store/sum-field.ts";
import { reconcileCredits } from "./credit-reconciliation.ts";
import type { Findings } from "./findings.ts";
import { reconcileSums } from "./sum-reconciliation.ts";

const BATCH_SIZE = 1_000;
const ORPHANS_MAX = 100;

/** Sums of a field by owner, for some owners. */
async function sumsBy<Doc extends mongo.Document>(
  collection: mongo.Collection<Doc>,
  query: { readonly by: string; readonly sum: string; readonly ids: readonly number[] },
  session: ClientSession,
): Promise<Map<number, bigint>> {
  const rows = collection.aggregate<{ _id: number; sum: unknown }>(
    [
      { $match: { [query.by]: { $in: [...query.ids] } } },
      { $group: { _id: `$${query.by}`, sum: exactSum(query.sum) } },
    ],
    { session, ...IN_SNAPSHOT, allowDiskUse: true },
  );
  return new Map((await rows.toArray()).map(({ _id, sum }) => [_id, readExactSum(sum)]));
}

/** Calls `run` with pages of documents ordered by id, each page in one database snapshot. */
async function inSnapshots<Doc extends { _id: number }>(
  connection: Connection,
  collection: mongo.Collection<Doc>,
  run: (docs: readonly Doc[], session: ClientSession) => Promise<void>,
): Promise<void> {
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const session = await connection.startSession({ snapshot: true });
    try {
      const after = { _id: { $gt: last } } as mongo.Filter<Doc>;
      const docs = (await collection
        .find(after, { session, ...IN_SNAPSHOT })
        .sort({ _id: 1 })
        .limit(BATCH_SIZE)
        .toArray()) as Doc[];
      const end = docs.at(-1);
      if (!end) return;
      last = end._id;
      await run(docs, session);
    } finally {
      await session.endSession();
    }
  }
}

/** The sum of a whole collection's field. */
async function total<Doc extends mongo.Document>(
  collection: mongo.Collection<Doc>,
  field: string,
  session: ClientSession,
): Promise<bigint> {
  const rows = collection.aggregate<{ sum: unknown }>([{ $group: { _id: null, sum: exactSum(field) } }], {
    session,
    ...IN_SNAPSHOT,
  });
  return readExactSum((await rows.next())?.sum);
}

async function findOrphans<Doc extends mongo.Document>(
  collection: mongo.Collection<Doc>,
  findings: Findings,
): Promise<void> {
  const rows = collection.aggregate<{ _id: number }>(
    [
      { $group: { _id: "$userId" } },
      { $lookup: { from: "accounts", localField: "_id", foreignField: "_id", as: "account" } },
      { $match: { account: [] } },
      { $limit: ORPHANS_MAX },
    ],
    { allowDiskUse: true },
  );
  for await (const { _id } of rows)
    findings.problem(`user ${_id} has rows in ${collection.collectionName} but no account`);
}

/**
 * Reconciles the ledger: each account with its ledger entries and hourly sums, each token with its log rows where the
 * log is complete, the site's hourly sums with the users', totals of days and channels with the hourly sums, orders and codes with
 * their ledger entries. The system may be running meanwhile.
 */
export async function reconcileLedger(
  connection: Connection,
  collections: Collections,
  findings: Findings,
): Promise<void> {
  const { accounts, ledger, rollups, siteRollups, userDays, marginDays, tokens, logs, deadLetters } = collections;
  await inSnapshots(connection, accounts, async (docs, session) => {
    const ids = docs.map(({ _id }) => _id);
    const credits = await sumsBy(ledger, { by: "userId", sum: "amount", ids }, session);
    const spent = await sumsBy(rollups, { by: "userId", sum: "quota", ids }, session);
    const counts = await sumsBy(rollups, { by: "userId", sum: "count", ids }, session);
    for (const account of docs) {
      findings.count("accounts");
      findings.same(`credits of user ${account._id}`, account.credits, credits.get(account._id) ?? 0n);
      findings.same(`spent of user ${account._id}`, account.spent, spent.get(account._id) ?? 0n);
      findings.same(`requests of user ${account._id}`, account.requestCount, counts.get(account._id) ?? 0n);
    }
  });
  const { deletedBefore, hasUnlogged } = await createLogState(collections).read();
  const isLogComplete = deletedBefore === 0 && !hasUnlogged;
  await inSnapshots(connection, tokens, async (docs, session) => {
    const ids = docs.map(({ _id }) => _id);
    findings.count("tokens", docs.length);
    if (!isLogComplete) return;
    const logged = await sumsBy(logs, { by: "tokenId", sum: "quota", ids }, session);
    for (const { _id, spent, openingSpent = 0 } of docs)
      findings.same(`spent of token ${_id}`, spent - openingSpent, logged.get(_id) ?? 0n);
  });
  const session = await connection.startSession({ snapshot: true });
  try {
    const siteTotal = await total(siteRollups, "quota", session);
    findings.same("the site's hours", siteTotal, await total(accounts, "spent", session));
    findings.count("quota spent in all", siteTotal);
    for (const field of ["costQuota", "cost"] as const) {
      const ofHours = await total(siteRollups, field, session);
      findings.same(`${field} of the users' hours`, ofHours, await total(rollups, field, session));
      findings.same(`${field} of the users' days`, ofHours, await total(userDays, field, session));
      findings.same(`${field} by channel, group and model`, ofHours, await total(marginDays, field, session));
    }
  } finally {
    await session.endSession();
  }
  await findOrphans(ledger, findings);
  await findOrphans(rollups, findings);
  findings.count("log rows", await logs.estimatedDocumentCount());
  const deadLettered = await deadLetters.countDocuments();
  if (deadLettered > 0)
    findings.problem(`${deadLettered} usage records could not be posted: see ${deadLetters.collectionName}`);
  if (!isLogComplete) findings.skip("tokens with their log rows: rows were deleted, or calls were not logged");
  await reconcileSums(connection, collections, findings);
  await reconcileCredits(connection, collections, findings);
}
