import { IN_SNAPSHOT } from "@turnpike/shared/mongo/mongo";
import type { Connection, mongo } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { Findings } from "./findings.ts";
import type { FindMismatches, Mismatch } from "./mismatch.ts";
import { reconcileRewards } from "./reward-reconciliation.ts";

/** How many differences of each kind are listed. */
const SHOWN_MAX = 50;

/** Reconciles credits with the orders, codes, rebates and invitations that they refer to, in one snapshot. */
export async function reconcileCredits(
  connection: Connection,
  collections: Collections,
  findings: Findings,
): Promise<void> {
  const session = await connection.startSession({ snapshot: true });
  const find = async <Found extends Mismatch>(
    collection: unknown,
    steps: readonly mongo.Document[],
  ): Promise<Found[]> => {
    const rows = (collection as mongo.Collection).aggregate<Found>([...steps, { $limit: SHOWN_MAX }], {
      session,
      ...IN_SNAPSHOT,
      allowDiskUse: true,
    });
    return rows.toArray();
  };
  try {
    await reconcileOrders(collections, find, findings);
    const imported = await connection
      .collection<{ table: string; target: number }>("imported_rows")
      .find({ table: "redemptions" }, { projection: { target: 1 } })
      .toArray();
    await reconcileCodes(collections, { find, importedIds: imported.map(({ target }) => target) }, findings);
    await reconcileRewards(collections, find, findings);
  } finally {
    await session.endSession();
  }
}

/** Joins the ledger entry whose id is made of a prefix and a field. */
const joinEntry = (prefix: string, field: string): mongo.Document[] => [
  { $set: { entryId: { $concat: [prefix, { $toString: `$${field}` }] } } },
  { $lookup: { from: "ledger", localField: "entryId", foreignField: "_id", as: "entry" } },
];

type OrderRow = Mismatch & { readonly tradeNo: string; readonly status: string; readonly expected: number };

async function reconcileOrders(
  { orders, ledger }: Collections,
  find: FindMismatches,
  findings: Findings,
): Promise<void> {
  findings.count("orders", await orders.estimatedDocumentCount());
  const isCredited = { status: { $in: ["paid", "refunded"] } };
  const differs = { $match: { $expr: { $ne: ["$entry.amount", ["$expected"]] } } };
  const credited = await find<OrderRow>(orders, [
    { $match: isCredited },
    ...joinEntry("order:", "tradeNo"),
    { $set: { expected: "$quota" } },
    differs,
  ]);
  const refunded = await find<OrderRow>(orders, [
    { $match: { status: "refunded" } },
    ...joinEntry("refund:", "tradeNo"),
    { $set: { expected: { $multiply: ["$refundedQuota", -1] } } },
    differs,
  ]);
  for (const { tradeNo, status, expected, entry = [] } of [...credited, ...refunded])
    findings.problem(
      `order ${tradeNo} is ${status} with ${expected}, but the ledger has ${entry[0]?.amount ?? "no entry"} for it`,
    );
  const orphans = await find(ledger, [
    { $match: { kind: "top_up", _id: /^order:/ } },
    { $set: { tradeNo: { $substrCP: ["$_id", "order:".length, { $strLenCP: "$_id" }] } } },
    { $lookup: { from: "orders", localField: "tradeNo", foreignField: "tradeNo", as: "order" } },
    { $match: { "order.status": { $nin: ["paid", "refunded"] } } },
  ]);
  for (const { _id } of orphans) findings.problem(`the ledger has ${String(_id)}, but no such order is paid`);
}

type CodeRow = Mismatch & { readonly usedCount: number; readonly uses: number };

async function reconcileCodes(
  { redemptions, redemptionUses, ledger }: Collections,
  { find, importedIds }: { readonly find: FindMismatches; readonly importedIds: readonly number[] },
  findings: Findings,
): Promise<void> {
  findings.count("codes", await redemptions.estimatedDocumentCount());
  if (importedIds.length > 0)
    findings.skip(`the uses of ${importedIds.length} imported codes: earlier uses were credited elsewhere`);
  const isOwn = (field: string) => ({ $match: { [field]: { $nin: importedIds } } });
  const counted = await find<CodeRow>(redemptions, [
    isOwn("_id"),
    { $lookup: { from: "redemption_uses", localField: "_id", foreignField: "codeId", as: "use" } },
    { $project: { usedCount: 1, uses: { $size: "$use" } } },
    { $match: { $expr: { $ne: ["$usedCount", "$uses"] } } },
  ]);
  for (const { _id, usedCount, uses } of counted)
    findings.problem(`code ${String(_id)} counts ${usedCount} uses, but ${uses} users used it`);
  const unpaid = await find(redemptionUses, [
    isOwn("codeId"),
    ...joinEntry("redemption:", "_id"),
    { $match: { "entry.0": { $exists: false } } },
  ]);
  for (const { _id } of unpaid) findings.problem(`the use ${String(_id)} of a code has no ledger entry`);
  const orphans = await find(ledger, [
    { $match: { kind: "redemption", _id: /^redemption:/ } },
    { $set: { useId: { $substrCP: ["$_id", "redemption:".length, { $strLenCP: "$_id" }] } } },
    { $lookup: { from: "redemption_uses", localField: "useId", foreignField: "_id", as: "use" } },
    { $match: { "use.0": { $exists: false } } },
  ]);
  for (const { _id } of orphans) findings.problem(`the ledger has ${String(_id)}, but no such use of a code`);
}
