import type { SearchLedgerRequest } from "@turnpike/proto/billing/v1/ledger_service";
import { SEARCH_TIMEOUT_MS, withSearchTimeout } from "@turnpike/shared/mongo/search";
import type { mongo } from "mongoose";
import { SKIP_MAX, toPrefixPattern, toPageRange } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import { exactSum, readExactSum } from "../store/sum-field.ts";
import type { LedgerDoc } from "../store/account-documents.ts";

export type LedgerSearch = ReturnType<typeof createLedgerSearch>;

const bounded = { maxTimeMS: SEARCH_TIMEOUT_MS };

function toFilter(request: SearchLedgerRequest): mongo.Filter<LedgerDoc> {
  const { userId, kind, startSeconds, endSeconds } = request;
  const reference = request.reference.trim();
  const upTo = endSeconds > 0 ? { $lt: (endSeconds + 1) * 1000 } : {};
  return {
    ...(userId > 0 ? { userId } : {}),
    ...(kind === "" ? {} : { kind }),
    ...(reference === "" ? {} : { _id: toPrefixPattern(reference) }),
    ...(startSeconds > 0 || endSeconds > 0 ? { createdAtMs: { $gte: startSeconds * 1000, ...upTo } } : {}),
  };
}

/** Pages over the ledger, newest first, with the number and the sum of all matches (exact up to 100 000 entries). */
export function createLedgerSearch({ ledger }: Pick<Collections, "ledger">) {
  const readTotals = async (which: mongo.Filter<LedgerDoc>): Promise<{ total: number; amount: bigint }> => {
    const group = { _id: null, total: { $sum: 1 }, amount: exactSum("amount") };
    const rows = ledger.aggregate<{ total: number; amount: unknown }>(
      [{ $match: which }, { $limit: SKIP_MAX }, { $group: group }],
      bounded,
    );
    const { total = 0, amount } = (await rows.next()) ?? {};
    return { total, amount: readExactSum(amount) };
  };
  return async function search(request: SearchLedgerRequest) {
    const which = toFilter(request);
    const { skip, limit } = toPageRange(request, 1);
    const [items, { total, amount }] = await withSearchTimeout(() =>
      Promise.all([
        ledger.find(which, bounded).sort({ createdAtMs: -1, _id: -1 }).skip(skip).limit(limit).toArray(),
        readTotals(which),
      ]),
    );
    return { items, total, amount };
  };
}
