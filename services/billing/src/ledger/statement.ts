import type { GetStatementResponse, StatementUse } from "@turnpike/proto/billing/v1/ledger_service";
import { IN_SNAPSHOT } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection, mongo } from "mongoose";
import type { Collections } from "../store/collections.ts";
import { sumField } from "../store/sum-field.ts";
import type { LedgerDoc } from "../store/account-documents.ts";
import type { RollupDoc } from "../store/sum-documents.ts";
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

/** Usage of a user's hours by day and model, at most one row more than a statement shows. */
async function readUses(
  { rollups }: Pick<Collections, "rollups">,
  which: mongo.Filter<RollupDoc>,
  session: ClientSession,
): Promise<StatementUse[]> {
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
      { session, ...IN_SNAPSHOT, maxTimeMS: TIMEOUT_MS, allowDiskUse: true },
    )
    .toArray();
  return rows.map(({ _id, ...sums }) => ({ ..._id, ...sums }));
}

/** One user's month, as of one moment: opening balance, credits, usage by day, and closing balance. */
export function createStatements(deps: { connection: Connection; collections: Collections }) {
  const { ledger, rollups } = deps.collections;

  const read = async (userId: number, month: Month, session: ClientSession): Promise<GetStatementResponse> => {
    const options = { session, ...IN_SNAPSHOT, maxTimeMS: TIMEOUT_MS };
    const { startSeconds, endSeconds } = month;
    const inMonth = { userId, createdAtMs: { $gte: startSeconds * 1000, $lt: endSeconds * 1000 } };
    const hours = { userId, hour: { $gte: startSeconds, $lt: endSeconds } };
    const before = { userId, createdAtMs: { $lt: startSeconds * 1000 } };
    const creditedBefore = await sumField(ledger, { query: before, field: "amount" }, options);
    const earlier = { userId, hour: { $lt: startSeconds } };
    const spentBefore = await sumField(rollups, { query: earlier, field: "quota" }, options);
    const creditedQuota = await sumField(ledger, { query: inMonth, field: "amount" }, options);
    const spentQuota = await sumField(rollups, { query: hours, field: "quota" }, options);
    const credits = await ledger
      .find(inMonth, options)
      .sort({ createdAtMs: 1, _id: 1 })
      .limit(ROWS_MAX + 1)
      .toArray();
    const uses = await readUses({ rollups }, hours, session);
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
