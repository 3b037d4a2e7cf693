import type { Connection } from "mongoose";
import { ledgerCheckedAt, ledgerDifference } from "../store/metrics.ts";
import type { Collections } from "../store/collections.ts";

const QUERY_MS = 60_000;

/**
 * Reconciles totals in one database snapshot: credits with the ledger, spend with the site's hourly sums. A nonzero
 * difference is a bug or a manual change of the database; `ledger:check` then names the accounts. Runs on one replica
 * at a time.
 */
export function createLedgerTotalsCheck({
  connection,
  collections,
}: {
  connection: Connection;
  collections: Collections;
}) {
  return async (): Promise<void> => {
    const session = await connection.startSession({ snapshot: true });
    try {
      const sum = async (name: "accounts" | "ledger" | "siteRollups", field: string): Promise<number> => {
        const group = [{ $group: { _id: null, sum: { $sum: `$${field}` } } }];
        const rows = collections[name].aggregate<{ sum: number }>(group, { session, maxTimeMS: QUERY_MS });
        return (await rows.next())?.sum ?? 0;
      };
      ledgerDifference.set({ book: "credits" }, (await sum("accounts", "credits")) - (await sum("ledger", "amount")));
      ledgerDifference.set({ book: "spent" }, (await sum("accounts", "spent")) - (await sum("siteRollups", "quota")));
      ledgerCheckedAt.set(Date.now() / 1000);
    } finally {
      await session.endSession();
    }
  };
}
