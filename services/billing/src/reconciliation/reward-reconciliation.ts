import type { mongo } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { Findings } from "./findings.ts";
import type { FindMismatches, Mismatch } from "./mismatch.ts";

type OrderRow = Mismatch & { readonly tradeNo: string; readonly rebateQuota: number };
type InvitationRow = Mismatch & { readonly userId: number };

const REBATE = "rebate:";
const INVITATION = "invitation:";

/** The part of the entry's id after a prefix. */
const afterPrefix = (prefix: string): mongo.Document => ({ $substrCP: ["$_id", prefix.length, { $strLenCP: "$_id" }] });

/** Rebates of paid orders are recorded in the order: amount and inviter must be those of the entry. */
async function reconcileOrderRebates({ orders }: Collections, find: FindMismatches, findings: Findings): Promise<void> {
  const rows = await find<OrderRow>(orders, [
    { $match: { rebateQuota: { $gt: 0 } } },
    { $set: { entryId: { $concat: [`${REBATE}order:`, "$tradeNo"] } } },
    { $lookup: { from: "ledger", localField: "entryId", foreignField: "_id", as: "entry" } },
    {
      $match: {
        $expr: {
          $or: [{ $ne: ["$entry.amount", ["$rebateQuota"]] }, { $ne: ["$entry.userId", ["$inviterId"]] }],
        },
      },
    },
  ]);
  for (const { tradeNo, rebateQuota, entry = [] } of rows)
    findings.problem(
      `order ${tradeNo} gave its inviter ${rebateQuota}, but the ledger has ${entry[0]?.amount ?? "no entry"} for them`,
    );
}

/** Each rebate has the credit of which it is a share, and one of an order is known to the order. */
async function reconcileRebates({ ledger }: Collections, find: FindMismatches, findings: Findings): Promise<void> {
  const isOther = { $ne: ["$order.rebateQuota", ["$amount"]] };
  const isOfOrder = { $eq: [{ $indexOfCP: ["$causeId", "order:"] }, 0] };
  const rows = await find<Mismatch>(ledger, [
    { $match: { kind: "rebate", _id: new RegExp(`^${REBATE}`) } },
    { $set: { causeId: afterPrefix(REBATE) } },
    { $lookup: { from: "ledger", localField: "causeId", foreignField: "_id", as: "entry" } },
    { $set: { tradeNo: { $arrayElemAt: [{ $split: ["$causeId", "order:"] }, 1] } } },
    { $lookup: { from: "orders", localField: "tradeNo", foreignField: "tradeNo", as: "order" } },
    {
      $match: {
        $or: [
          { "entry.0": { $exists: false } },
          { "order.rebateQuota": { $exists: true }, $expr: { $and: [isOfOrder, isOther] } },
        ],
      },
    },
  ]);
  for (const { _id, entry = [] } of rows)
    findings.problem(
      entry.length === 0
        ? `the ledger has ${String(_id)}, but no credit of which it is a share`
        : `the ledger has ${String(_id)}, but its order gave another rebate`,
    );
}

/** An invitation's credit belongs to the invited user, whose id is in its reference. */
async function reconcileInvitations({ ledger }: Collections, find: FindMismatches, findings: Findings): Promise<void> {
  const rows = await find<InvitationRow>(ledger, [
    { $match: { kind: "invitation", _id: new RegExp(`^${INVITATION}`) } },
    { $match: { $expr: { $ne: [afterPrefix(INVITATION), { $toString: "$userId" }] } } },
  ]);
  for (const { _id, userId } of rows) findings.problem(`user ${userId} has the credit ${String(_id)} of another user`);
}

/** Reconciles rebates and invitation credits with their causes, and names those that the ledger cannot decide. */
export async function reconcileRewards(
  collections: Collections,
  find: FindMismatches,
  findings: Findings,
): Promise<void> {
  findings.count("rebates", await collections.ledger.countDocuments({ kind: "rebate" }));
  findings.count("invitation credits", await collections.ledger.countDocuments({ kind: "invitation" }));
  await reconcileOrderRebates(collections, find, findings);
  await reconcileRebates(collections, find, findings);
  await reconcileInvitations(collections, find, findings);
  findings.skip("rebates of codes and invitation credits that are missing: their rates at the time are not recorded");
}
