import { LOG_TYPE } from "@turnpike/contract/codes";
import { inTransaction, allocateIds, isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import type { ClientSession } from "mongoose";
import { SetupError } from "../../process/setup-error.ts";
import { tallyRows, writeTallies } from "../../../services/billing/src/logs/log-tallies.ts";
import { writeReportTotals } from "../../../services/billing/src/reports/report-writer.ts";
import { totalReports } from "../../../services/billing/src/reports/report-totals.ts";
import type { LogDoc } from "../../../services/billing/src/store/usage-documents.ts";
import { writeUsageTotals } from "../../../services/billing/src/usage/usage-totals-writer.ts";
import { totalUsage } from "../../../services/billing/src/usage/usage-totals.ts";
import type { SourceRow } from "../source/open-source.ts";
import type { FamilyContext } from "../source/family-install.ts";
import type { SourceId } from "../source/install-reader.ts";
import { addToOpeningHour } from "../source/opening.ts";
import { importedId, type ImportContext, inBatches } from "./import-context.ts";
import type { Figures } from "../report.ts";
import { type Dialect, getFlag, getText, getInteger } from "../source/source-rows.ts";

const ROWS_A_TRANSACTION = 1_000;
const MS_OF_SECOND = 1_000;

type Targets = {
  readonly users: ReadonlyMap<SourceId, number>;
  readonly tokens: ReadonlyMap<SourceId, number>;
  readonly channels: ReadonlyMap<SourceId, number>;
};

/**
 * Meaning of the log types in each of the three products; 5 is a test in one-api, an error in new-api, a check-in in
 * Veloera.
 */
function getType(type: number, dialect: Dialect): number {
  if (type === 5 && dialect === "new-api") return LOG_TYPE.error;
  if (type === 5 && dialect === "one-api") return LOG_TYPE.system;
  return Object.values(LOG_TYPE).some((known) => known === type) ? type : LOG_TYPE.system;
}

/** Parses a row of `logs` of any of the three products; its number is separate. */
export function readLog(row: SourceRow, dialect: Dialect, targets: Targets): Omit<LogDoc, "_id"> {
  const channel = getInteger(row, "channel_id") || getInteger(row, "channel");
  const tokenId = getInteger(row, "token_id");
  return {
    createdAt: getInteger(row, "created_at"),
    type: getType(getInteger(row, "type"), dialect),
    userId: targets.users.get(getInteger(row, "user_id")) ?? 0,
    username: getText(row, "username"),
    tokenId: targets.tokens.get(tokenId) ?? 0,
    tokenName: getText(row, "token_name"),
    modelName: getText(row, "model_name"),
    channel: targets.channels.get(channel) ?? channel,
    channelName: getText(row, "channel_name"),
    group: getText(row, "group"),
    isStream: getFlag(row, "is_stream"),
    useTime: getInteger(row, "use_time") || Math.round(getInteger(row, "elapsed_time") / MS_OF_SECOND),
    promptTokens: getInteger(row, "prompt_tokens"),
    completionTokens: getInteger(row, "completion_tokens"),
    quota: getInteger(row, "quota"),
    content: getText(row, "content"),
    clientIp: getText(row, "client_ip") || getText(row, "ip"),
    other: getText(row, "other") || "{}",
  };
}

const isCall = ({ type }: Pick<LogDoc, "type">): boolean => type === LOG_TYPE.consume;
const isAttempt = (row: Pick<LogDoc, "type">): boolean => isCall(row) || row.type === LOG_TYPE.error;

/** The source of the hourly sums; a row's own number replaces the request id. */
const getRecord = (row: LogDoc) => ({
  ...row,
  type: isCall(row) ? LOG_TYPE.consume : LOG_TYPE.error,
  requestId: String(row._id),
  createdAtSeconds: row.createdAt,
  channelId: row.channel,
  useTimeSeconds: row.useTime,
});

type Step = { readonly after: number; readonly to: number; readonly figures: Figures };

/**
 * Creates the function that stores the import's progress, in the transaction that stores the rows. Throws SetupError if another
 * import of this source has progressed since: its rows would be stored twice.
 */
function createProgress({ imported, label }: ImportContext, mark: string) {
  return async function advance({ after, to, figures }: Step, session: ClientSession): Promise<void> {
    const added = Object.fromEntries(Object.entries(figures).map(([name, value]) => [`figures.${name}`, value]));
    const change = { $set: { label, table: "logs", target: to }, $inc: added };
    // Source numbers begin at 1: before the first step there is no document.
    const { matchedCount, upsertedCount } = await imported
      .updateOne({ _id: mark, target: after }, change, { session, upsert: after === 0 })
      .catch((error: unknown) => {
        if (isDuplicateKey(error)) return { matchedCount: 0, upsertedCount: 0 };
        throw error;
      });
    if (matchedCount + upsertedCount === 0)
      throw new SetupError(
        "Another import of this source has stored log rows meanwhile. Run this one again when it has ended.",
      );
  };
}

/**
 * Imports log rows and the hourly sums of their cost, and subtracts that cost from what was "used before", so that
 * account totals do not change. A repeated run continues after the last imported row.
 */
export async function importLogs(context: FamilyContext, targets: Targets): Promise<void> {
  const { connection, collections, source, report, imported, dialect } = context;
  const mark = importedId(context, "logs", "all");
  const before = await imported.findOne({ _id: mark });
  if (before) report.target("logs", before.figures);
  let reached = before?.target ?? 0;
  const advance = createProgress(context, mark);

  function* fresh(): Generator<{ sourceId: number; row: Omit<LogDoc, "_id"> }> {
    for (const raw of source.rows("logs", "id")) {
      const sourceId = getInteger(raw, "id");
      const row = readLog(raw, dialect, targets);
      report.source("logs", { rows: 1, calls: isCall(row) ? 1 : 0, cost: isCall(row) ? row.quota : 0 });
      if (sourceId > reached) yield { sourceId, row };
    }
  }
  for (const batch of inBatches(fresh(), ROWS_A_TRANSACTION)) {
    if (context.isDryRun) continue;
    const firstId = await allocateIds(connection, "logs", batch.length);
    const rows = batch.map(({ row }, index): LogDoc => ({ _id: firstId + index, ...row }));
    const calls = rows.filter(isCall);
    const figures = { rows: rows.length, calls: calls.length, cost: calls.reduce((sum, { quota }) => sum + quota, 0) };
    const sums = totalUsage(calls.filter(({ userId }) => userId > 0).map(getRecord));
    const reports = totalReports(rows.filter((row) => row.userId > 0 && isAttempt(row)).map(getRecord));
    await inTransaction(connection, async (session) => {
      await writeUsageTotals(collections, { ...sums, accounts: [], tokens: [], channels: [] }, session);
      await writeReportTotals(collections, reports, session);
      for (const { userId, quota, count } of sums.accounts)
        await addToOpeningHour(context, { userId, quota: -quota, count: -count }, session);
      for (const { tokenId, quota } of sums.tokens)
        await collections.tokens.updateOne({ _id: tokenId }, { $inc: { openingSpent: -quota } }, { session });
      await writeTallies(collections, tallyRows(rows), session);
      await collections.logs.insertMany(rows, { session });
      await advance({ after: reached, to: batch.at(-1)?.sourceId ?? 0, figures }, session);
    });
    reached = batch.at(-1)?.sourceId ?? 0;
    report.target("logs", figures);
  }
}
