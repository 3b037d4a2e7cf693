import { LOG_TYPE } from "@turnpike/contract/limits";
import { inTransaction, allocateIds } from "@turnpike/shared/mongo/mongo";
import { tallyRows, writeTallies } from "../../services/billing/src/logs/log-tallies.ts";
import { writeReportTotals } from "../../services/billing/src/reports/report-writer.ts";
import { totalReports } from "../../services/billing/src/reports/report-totals.ts";
import type { LogDoc } from "../../services/billing/src/store/documents.ts";
import { writeUsageTotals } from "../../services/billing/src/usage/usage-totals-writer.ts";
import { totalUsage } from "../../services/billing/src/usage/usage-totals.ts";
import type { SourceRow } from "./open-source.ts";
import { addToOpeningHour } from "./opening.ts";
import { importedId, type ImportPlace, inBatches } from "./place.ts";
import { type Dialect, flagOf, textOf, wholeOf } from "./source-rows.ts";

const ROWS_A_TRANSACTION = 1_000;
const MS_OF_SECOND = 1_000;

type Targets = {
  readonly users: ReadonlyMap<number, number>;
  readonly tokens: ReadonlyMap<number, number>;
  readonly channels: ReadonlyMap<number, number>;
};

/**
 * Meaning of the log types in each of the three products; 5 is a test in one-api, an error in new-api, a check-in in
 * Veloera.
 */
function typeOf(type: number, dialect: Dialect): number {
  if (type === 5 && dialect === "new-api") return LOG_TYPE.error;
  if (type === 5 && dialect === "one-api") return LOG_TYPE.system;
  return Object.values(LOG_TYPE).some((known) => known === type) ? type : LOG_TYPE.system;
}

/** Parses a row of `logs` of any of the three products; its number is separate. */
export function readLog(row: SourceRow, dialect: Dialect, targets: Targets): Omit<LogDoc, "_id"> {
  const channel = wholeOf(row, "channel_id") || wholeOf(row, "channel");
  const tokenId = wholeOf(row, "token_id");
  return {
    createdAt: wholeOf(row, "created_at"),
    type: typeOf(wholeOf(row, "type"), dialect),
    userId: targets.users.get(wholeOf(row, "user_id")) ?? 0,
    username: textOf(row, "username"),
    tokenId: targets.tokens.get(tokenId) ?? 0,
    tokenName: textOf(row, "token_name"),
    modelName: textOf(row, "model_name"),
    channel: targets.channels.get(channel) ?? channel,
    channelName: textOf(row, "channel_name"),
    group: textOf(row, "group"),
    isStream: flagOf(row, "is_stream"),
    useTime: wholeOf(row, "use_time") || Math.round(wholeOf(row, "elapsed_time") / MS_OF_SECOND),
    promptTokens: wholeOf(row, "prompt_tokens"),
    completionTokens: wholeOf(row, "completion_tokens"),
    quota: wholeOf(row, "quota"),
    content: textOf(row, "content"),
    clientIp: textOf(row, "client_ip") || textOf(row, "ip"),
    other: textOf(row, "other") || "{}",
  };
}

const isCall = ({ type }: Pick<LogDoc, "type">): boolean => type === LOG_TYPE.consume;
const isAttempt = (row: Pick<LogDoc, "type">): boolean => isCall(row) || row.type === LOG_TYPE.error;

/** The source of the hourly sums; a row's own number stands in for the request id. */
const recordOf = (row: LogDoc) => ({
  ...row,
  type: isCall(row) ? LOG_TYPE.consume : LOG_TYPE.error,
  requestId: String(row._id),
  createdAtSeconds: row.createdAt,
  channelId: row.channel,
  useTimeSeconds: row.useTime,
});

/**
 * Imports log rows and the hourly sums of their cost, and subtracts that cost from what was "used before", so that
 * account totals do not change. A repeated run continues after the last imported row.
 */
export async function importLogs(place: ImportPlace, targets: Targets): Promise<void> {
  const { connection, collections, source, report, imported, label, dialect } = place;
  const mark = importedId(place, "logs", "all");
  const before = await imported.findOne({ _id: mark });
  if (before) report.target("logs", before.figures);
  const reached = before?.target ?? 0;

  function* fresh(): Generator<{ sourceId: number; row: Omit<LogDoc, "_id"> }> {
    for (const raw of source.rows("logs", "id")) {
      const sourceId = wholeOf(raw, "id");
      const row = readLog(raw, dialect, targets);
      report.source("logs", { rows: 1, calls: isCall(row) ? 1 : 0, cost: isCall(row) ? row.quota : 0 });
      if (sourceId > reached) yield { sourceId, row };
    }
  }
  for (const batch of inBatches(fresh(), ROWS_A_TRANSACTION)) {
    if (place.isDryRun) continue;
    const firstId = await allocateIds(connection, "logs", batch.length);
    const rows = batch.map(({ row }, index): LogDoc => ({ _id: firstId + index, ...row }));
    const calls = rows.filter(isCall);
    const figures = { rows: rows.length, calls: calls.length, cost: calls.reduce((sum, { quota }) => sum + quota, 0) };
    const sums = totalUsage(calls.filter(({ userId }) => userId > 0).map(recordOf));
    const reports = totalReports(rows.filter((row) => row.userId > 0 && isAttempt(row)).map(recordOf));
    await inTransaction(connection, async (session) => {
      await writeUsageTotals(collections, { ...sums, accounts: [], tokens: [], channels: [] }, session);
      await writeReportTotals(collections, reports, session);
      for (const { userId, quota, count } of sums.accounts)
        await addToOpeningHour(place, { userId, quota: -quota, count: -count }, session);
      for (const { tokenId, quota } of sums.tokens)
        await collections.tokens.updateOne({ _id: tokenId }, { $inc: { openingSpent: -quota } }, { session });
      await writeTallies(collections, tallyRows(rows), session);
      await collections.logs.insertMany(rows, { session });
      await imported.updateOne(
        { _id: mark },
        {
          $set: { label, table: "logs", target: batch.at(-1)?.sourceId ?? 0 },
          $inc: Object.fromEntries(Object.entries(figures).map(([name, value]) => [`figures.${name}`, value])),
        },
        { session, upsert: true },
      );
    });
    report.target("logs", figures);
  }
}
