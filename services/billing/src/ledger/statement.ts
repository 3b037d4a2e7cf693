import type { GetStatementResponse, StatementUse } from "@turnpike/proto/billing/v1/ledger_service";
import type { ClientSession, Connection, mongo } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { LedgerDoc, RollupDoc } from "../store/documents.ts";
import { type Month, readMonth } from "./month.ts";

export type Statements = ReturnType<typeof createStatements>;

const ROWS_MAX = 10_000;
const TIMEOUT_MS = 10_000;

type UseRow = Omit<StatementUse, "day" | "modelName"> & { _id: { day: string; modelName: string } };

const toCredit = ({ _id, kind, amount, creditsAfter, reason, createdAtMs }: LedgerDoc) => ({
  reference: _id,
  kind,
  amount,
  creditsAfter,
  reason,
  createdAtSeconds: Math.floor(createdAtMs / 1000),
});

/** One user's month, as of one moment: opening balance, credits, usage by day, and closing balance. */
export function createStatements(deps: { connection: Connection; collections: Collections }) {
  const { ledger, rollups } = deps.collections;

  const sumField = async <Doc extends mongo.Document>(
    collection: mongo.Collection<Doc>,
    query: { which: mongo.Filter<Doc>; field: string },
    session: ClientSession,
  ): Promise<number> => {
    const rows = collection.aggregate<{ sum: number }>(
      [{ $match: query.which }, { $group: { _id: null, sum: { $sum: `$${query.field}` } } }],
      { session, maxTimeMS: TIMEOUT_MS },
    );
    return (await rows.next())?.sum ?? 0;
  };
  const readUses = async (which: mongo.Filter<RollupDoc>, session: ClientSession): Promise<StatementUse[]> => {
    const date = { $toDate: { $multiply: ["$hour", 1000] } };
    const day = { $dateToString: { date, format: "%Y-%m-%d" } };
    const rows = await rollups
      .aggregate<UseRow>(
        [
          { $match: which },
          {
            $group: {
              _id: { day, modelName: "$modelName" },
              requestCount: { $sum: "$count" },
              promptTokens: { $sum: "$promptTokens" },
              completionTokens: { $sum: "$completionTokens" },
              quota: { $sum: "$quota" },
            },
          },
          { $sort: { _id: 1 } },
          { $limit: ROWS_MAX + 1 },
        ],
        { session, maxTimeMS: TIMEOUT_MS, allowDiskUse: true },
      )
      .toArray();
    return rows.map(({ _id, ...sums }) => ({ ..._id, ...sums }));
  };
  const read = async (userId: number, month: Month, session: ClientSession): Promise<GetStatementResponse> => {
    const { startSeconds, endSeconds } = month;
    const inMonth = { userId, createdAtMs: { $gte: startSeconds * 1000, $lt: endSeconds * 1000 } };
    const hours = { userId, hour: { $gte: startSeconds, $lt: endSeconds } };
    const before = { userId, createdAtMs: { $lt: startSeconds * 1000 } };
    const creditedBefore = await sumField(ledger, { which: before, field: "amount" }, session);
    const earlier = { userId, hour: { $lt: startSeconds } };
    const spentBefore = await sumField(rollups, { which: earlier, field: "quota" }, session);
    const creditedQuota = await sumField(ledger, { which: inMonth, field: "amount" }, session);
    const spentQuota = await sumField(rollups, { which: hours, field: "quota" }, session);
    const credits = await ledger
      .find(inMonth, { session, maxTimeMS: TIMEOUT_MS })
      .sort({ createdAtMs: 1, _id: 1 })
      .limit(ROWS_MAX + 1)
      .toArray();
    const uses = await readUses(hours, session);
    const openingQuota = creditedBefore - spentBefore;
    return {
      openingQuota,
      creditedQuota,
      spentQuota,
      closingQuota: openingQuota + creditedQuota - spentQuota,
      credits: credits.slice(0, ROWS_MAX).map(toCredit),
      uses: uses.slice(0, ROWS_MAX),
      isCut: credits.length > ROWS_MAX || uses.length > ROWS_MAX,
    };
  };
  return async function statement(userId: number, monthText: string): Promise<GetStatementResponse> {
    const month = readMonth(monthText);
    const session = await deps.connection.startSession({ snapshot: true });
    try {
      return await read(userId, month, session);
    } finally {
      await session.endSession();
    }
  };
}
