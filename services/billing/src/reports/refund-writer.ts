import type { ClientSession, mongo } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { StoredCostSums } from "../store/cost-sums.ts";
import { updateRows } from "../store/row-writes.ts";
import { getSumIds, type SummedCall } from "../store/sum-ids.ts";

/** A posted call that is refunded; its cost is missing while it is unknown. */
export type RefundedCall = SummedCall & { readonly cost?: number | undefined };

/** `isCostReversed`: upstream does not charge the call either. */
type Refund = { readonly amount: number; readonly isCostReversed: boolean };

/**
 * Takes a refund out of what the call earned, in its row and in all sums that hold its cost, in the refund's transaction. What was
 * charged stays as it is: the refund is a credit of its own.
 */
export async function writeRefundSums(
  collections: Pick<Collections, "siteRollups" | "rollups" | "channelDays" | "userDays" | "marginDays">,
  call: RefundedCall,
  { amount, isCostReversed }: Refund,
  session: ClientSession,
): Promise<void> {
  const { cost } = call;
  const known = cost === undefined ? {} : { costQuota: -amount, cost: isCostReversed ? -cost : 0 };
  const change = { $inc: { refunded: amount, ...known } };
  const ids = getSumIds(call);
  const write = <Doc extends mongo.Document & StoredCostSums & { _id: string }>(
    collection: mongo.Collection<Doc>,
    _id: string,
  ) =>
    updateRows<Doc>(
      collection,
      [{ _id: _id as Doc["_id"], change: change as mongo.UpdateFilter<Doc>, upsert: false }],
      session,
    );
  await write(collections.siteRollups, ids.siteHour);
  await write(collections.channelDays, ids.channelDay);
  await write(collections.userDays, ids.userDay);
  await write(collections.marginDays, ids.marginDay);
  await write(collections.rollups, ids.userHour);
}

/** The fields of the call's row after the refund. */
export const toRefundedRow = ({ cost }: RefundedCall, { amount, isCostReversed }: Refund) =>
  cost !== undefined && cost > 0 && isCostReversed
    ? { refunded: amount, cost: 0, reversedCost: cost }
    : { refunded: amount };
