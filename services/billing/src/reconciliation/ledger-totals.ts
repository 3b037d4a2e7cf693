import { IN_SNAPSHOT } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import { ledgerCheckedAt, ledgerDifference } from "../store/metrics.ts";
import type { Collections } from "../store/collections.ts";
import { exactSum, readExactSum } from "../store/sum-field.ts";

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
      const sum = async (name: "accounts" | "ledger" | "siteRollups", field: string): Promise<bigint> => {
        const group = [{ $group: { _id: null, sum: exactSum(field) } }];
        const rows = collections[name].aggregate<{ sum: unknown }>(group, {
          session,
          ...IN_SNAPSHOT,
          maxTimeMS: QUERY_MS,
        });
        return readExactSum((await rows.next())?.sum);
      };
      const credits = (await sum("accounts", "credits")) - (await sum("ledger", "amount"));
      const spent = (await sum("accounts", "spent")) - (await sum("siteRollups", "quota"));
      ledgerDifference.set({ sum: "credits" }, Number(credits));
      ledgerDifference.set({ sum: "spent" }, Number(spent));
      ledgerCheckedAt.set(Date.now() / 1000);
    } finally {
      await session.endSession();
    }
  };
}
