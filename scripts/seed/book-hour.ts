import type { UsageRecord } from "@turnpike/shared/events/relay";
import { takeNumbers } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import { rowOfUsage } from "../../services/billing/src/logs/log-row.ts";
import { dayOf, tallyRows, writeTallies } from "../../services/billing/src/logs/log-tally.ts";
import { addReports } from "../../services/billing/src/reports/add-reports.ts";
import { sumReports } from "../../services/billing/src/reports/report-sums.ts";
import type { Collections } from "../../services/billing/src/store/collections.ts";
import { addSums } from "../../services/billing/src/usage/add-sums.ts";
import { sumUsage, type UsageSums } from "../../services/billing/src/usage/usage-sums.ts";
import { createDayTallies } from "./day-tallies.ts";

const ROWS_AT_ONCE = 2_500;
const WRITES_AT_ONCE = 3;
const ROLLUPS_AT_ONCE = 5_000;

function* chunksOf<Entry>(entries: readonly Entry[], size: number): Generator<readonly Entry[]> {
  for (let start = 0; start < entries.length; start += size) yield entries.slice(start, start + size);
}

/** Books made-up records hour by hour: rows in bulk, each hour's sums once, each day's tallies once. */
export function createHourBooking(deps: { connection: Connection; collections: Collections; session: ClientSession }) {
  const { connection, collections, session } = deps;
  const tallies = createDayTallies();
  let day = -1;

  const insertRows = async (records: readonly UsageRecord[]): Promise<void> => {
    const firstId = await takeNumbers(connection, "logs", records.length);
    let index = 0;
    const running = new Set<Promise<unknown>>();
    for (const chunk of chunksOf(records, ROWS_AT_ONCE)) {
      const rows = chunk.map((record) => rowOfUsage(record, firstId + index++));
      tallies.add(tallyRows(rows));
      const insert: Promise<unknown> = collections.logs
        .insertMany(rows, { ordered: false, forceServerObjectId: true })
        .finally(() => running.delete(insert));
      running.add(insert);
      if (running.size >= WRITES_AT_ONCE) await Promise.race(running);
    }
    await Promise.all(running);
  };
  /** The hours of these people are new, so that they are inserted; what others share is added to. */
  const addHour = async ({ rollups, ...shared }: UsageSums): Promise<void> => {
    await addSums(collections, { ...shared, rollups: [] }, session);
    for (const chunk of chunksOf(rollups, ROLLUPS_AT_ONCE))
      await collections.rollups.insertMany(
        chunk.map(({ id, ...row }) => ({ _id: id, ...row })),
        { ordered: false },
      );
  };
  const flush = async (): Promise<void> => {
    for (const chunk of chunksOf(tallies.take(), ROLLUPS_AT_ONCE)) await writeTallies(collections, chunk);
  };
  return {
    async book(records: readonly UsageRecord[]): Promise<void> {
      const [first] = records;
      if (!first) return;
      if (dayOf(first.createdAtSeconds) !== day) await flush();
      day = dayOf(first.createdAtSeconds);
      await Promise.all([insertRows(records), addHour(sumUsage(records))]);
      await addReports(collections, sumReports(records), session);
    },
    /** Writes what is still held back. */
    finish: flush,
  };
}
