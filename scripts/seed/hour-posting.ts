import type { UsageRecord } from "@turnpike/shared/events/relay";
import { allocateIds } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import { toUsageRow } from "../../services/billing/src/logs/log-row.ts";
import { createTally, writeTallies } from "../../services/billing/src/logs/log-tallies.ts";
import { writeReportTotals } from "../../services/billing/src/reports/report-writer.ts";
import { totalReports } from "../../services/billing/src/reports/report-totals.ts";
import { getDayNumber } from "../../services/billing/src/store/calendar.ts";
import type { Collections } from "../../services/billing/src/store/collections.ts";
import { writeUsageTotals } from "../../services/billing/src/usage/usage-totals-writer.ts";
import { totalUsage, type UsageTotals } from "../../services/billing/src/usage/usage-totals.ts";
import { createWindow } from "./window.ts";

const ROWS_AT_ONCE = 2_500;
/** Large enough to keep MongoDB busy while the next rows are generated, small enough for the memory. */
const WRITES_AT_ONCE = 6;
const SUMS_AT_ONCE = 5_000;
/** Sums are written after this many rows: the sums of users and channels have the same keys in every hour. */
const ROWS_A_SUM = 100_000;

function* getChunks<Entry>(entries: readonly Entry[], size: number): Generator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += size) yield entries.slice(start, start + size);
}

/** Posts generated records hour by hour: rows in bulk, each hour's sums once, each day's tallies once. */
export function createHourPosting(deps: { connection: Connection; collections: Collections; session: ClientSession }) {
  const { connection, collections, session } = deps;
  const tally = createTally();
  const writes = createWindow(WRITES_AT_ONCE);
  const summing = createWindow(1);
  let unsummed: UsageRecord[] = [];
  let day = -1;

  const insertRows = async (records: readonly UsageRecord[]): Promise<void> => {
    const firstId = await allocateIds(connection, "logs", records.length);
    let index = 0;
    for (const chunk of getChunks(records, ROWS_AT_ONCE)) {
      const rows = chunk.map((record) => toUsageRow(record, firstId + index++));
      tally.add(rows);
      await writes.add(() => collections.logs.insertMany(rows, { ordered: false, forceServerObjectId: true }));
    }
  };
  /** The hours of these users are new and are inserted; shared hours are incremented. */
  const writeSums = async ({ rollups, ...shared }: UsageTotals): Promise<void> => {
    await writeUsageTotals(collections, { ...shared, rollups: [] }, session);
    for (const chunk of getChunks(rollups, SUMS_AT_ONCE))
      await collections.rollups.insertMany(
        chunk.map(({ id, ...row }) => ({ _id: id, ...row })),
        { ordered: false, forceServerObjectId: true },
      );
  };
  const sumUp = async (): Promise<void> => {
    const records = unsummed;
    unsummed = [];
    const [sums, reports] = [totalUsage(records), totalReports(records)];
    await summing.add(async () => {
      await writeSums(sums);
      await writeReportTotals(collections, reports, session);
    });
  };
  const flushDay = async (): Promise<void> => {
    for (const chunk of getChunks(tally.take(), SUMS_AT_ONCE)) await writes.add(() => writeTallies(collections, chunk));
  };
  return {
    /** Accepts the records of one hour; settles when there is room for more. Throws if an earlier write failed. */
    async post(records: readonly UsageRecord[]): Promise<void> {
      const [first] = records;
      if (!first) return;
      if (getDayNumber(first.createdAtSeconds) !== day) await flushDay();
      day = getDayNumber(first.createdAtSeconds);
      await insertRows(records);
      unsummed = [...unsummed, ...records];
      if (unsummed.length >= ROWS_A_SUM) await sumUp();
    },
    /** Flushes the buffered writes. */
    async finish(): Promise<void> {
      await sumUp();
      await flushDay();
      await writes.finish();
      await summing.finish();
    },
  };
}
