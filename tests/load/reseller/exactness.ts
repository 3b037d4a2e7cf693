import { createConnection } from "mongoose";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import type { World } from "../../lib/world.ts";
import type { Seen } from "./caller.ts";

type Row = { requestId?: string; userId: number; quota: number };
type Account = { _id: number; spent: number };

/**
 * Compares what clients saw with log and ledger: a served call has one row with a cost, a refused call none, an aborted
 * call at most one; the spending of an account is the sum of its rows; ledger:check passes. Throws what does not agree.
 */
export async function mustBeExact(world: World, seen: readonly Seen[]): Promise<string> {
  const connection = await createConnection(world.mongodbUrl).asPromise();
  try {
    const costs = new Map<string, number>();
    const spent = new Map<number, number>();
    for await (const row of connection.collection<Row>("logs").find({ type: 2 })) {
      const id = row.requestId ?? "";
      if (costs.has(id)) throw new Error(`two rows for the call ${id}`);
      costs.set(id, row.quota);
      spent.set(row.userId, (spent.get(row.userId) ?? 0) + row.quota);
    }
    const wrong = seen.filter(({ requestId, outcome }) => {
      const cost = costs.get(requestId);
      if (outcome === "served") return cost === undefined || cost <= 0;
      return outcome === "refused" && cost !== undefined;
    });
    if (wrong.length > 0) throw new Error(`${wrong.length} calls are charged wrongly: ${JSON.stringify(wrong[0])}`);
    const known = new Set(seen.map(({ requestId }) => requestId));
    const strange = [...costs.keys()].filter((id) => !known.has(id));
    if (strange.length > 0) throw new Error(`${strange.length} rows without a call: ${strange[0]}`);
    for await (const account of connection.collection<Account>("accounts").find())
      if (account.spent !== (spent.get(account._id) ?? 0))
        throw new Error(`user ${account._id} has spent ${account.spent}, the log has ${spent.get(account._id) ?? 0}`);
    await ledgerCheck(world, { timeoutMs: 120_000 });
    return `${costs.size} rows, ${spent.size} accounts, every call charged according to its outcome, ledger:check passes`;
  } finally {
    await connection.close();
  }
}
