import type { ClientSession, Connection, mongo } from "mongoose";
import { createLogState } from "../logs/log-state.ts";
import type { Collections } from "../store/collections.ts";
import type { Findings } from "./findings.ts";

const BATCH_SIZE = 1_000;
const ORPHANS_MAX = 100;

/** Sums of a field by owner, for some owners. */
async function sumsBy<Doc extends mongo.Document>(
  collection: mongo.Collection<Doc>,
  query: { readonly by: string; readonly sum: string; readonly ids: readonly number[] },
  session: ClientSession,
): Promise<Map<number, number>> {
  const rows = collection.aggregate<{ _id: number; sum: number }>(
    [
      { $match: { [query.by]: { $in: [...query.ids] } } },
      { $group: { _id: `$${query.by}`, sum: { $sum: `$${query.sum}` } } },
    ],
    { session, allowDiskUse: true },
  );
  return new Map((await rows.toArray()).map(({ _id, sum }) => [_id, sum]));
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
      const docs = (await collection.find(after, { session }).sort({ _id: 1 }).limit(BATCH_SIZE).toArray()) as Doc[];
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
): Promise<number> {
  const rows = collection.aggregate<{ sum: number }>([{ $group: { _id: null, sum: { $sum: `$${field}` } } }], {
    session,
  });
  return (await rows.next())?.sum ?? 0;
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
 * log is complete, the site's hourly sums with the users'. The system may be running meanwhile.
 */
export async function reconcileLedger(
  connection: Connection,
  collections: Collections,
  findings: Findings,
): Promise<void> {
  const { accounts, ledger, rollups, siteRollups, tokens, logs, deadLetters } = collections;
  await inSnapshots(connection, accounts, async (docs, session) => {
    const ids = docs.map(({ _id }) => _id);
    const credits = await sumsBy(ledger, { by: "userId", sum: "amount", ids }, session);
    const spent = await sumsBy(rollups, { by: "userId", sum: "quota", ids }, session);
    const counts = await sumsBy(rollups, { by: "userId", sum: "count", ids }, session);
    for (const account of docs) {
      findings.count("accounts");
      findings.same(`credits of user ${account._id}`, account.credits, credits.get(account._id) ?? 0);
      findings.same(`spent of user ${account._id}`, account.spent, spent.get(account._id) ?? 0);
      findings.same(`requests of user ${account._id}`, account.requestCount, counts.get(account._id) ?? 0);
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
      findings.same(`spent of token ${_id}`, spent - openingSpent, logged.get(_id) ?? 0);
  });
  const session = await connection.startSession({ snapshot: true });
  try {
    const ofSite = await total(siteRollups, "quota", session);
    findings.same("the site's hours", ofSite, await total(accounts, "spent", session));
    findings.count("quota spent in all", ofSite);
  } finally {
    await session.endSession();
  }
  await findOrphans(ledger, findings);
  await findOrphans(rollups, findings);
  findings.count("log rows", await logs.estimatedDocumentCount());
  const aside = await deadLetters.countDocuments();
  if (aside > 0) findings.problem(`${aside} usage records could not be booked: see ${deadLetters.collectionName}`);
  if (!isLogComplete) findings.count("tokens not compared, since the log has gaps");
}
