import { LOG_TYPE } from "@turnpike/contract/codes";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { ClientSession } from "mongoose";
import { toUsageRow } from "../logs/log-row.ts";
import { sumCallsBySecond, writeCallsBySecond } from "../logs/request-rates.ts";
import { type TallyChange, tallyRows, writeTallies } from "../logs/log-tallies.ts";
import { writeReportTotals } from "../reports/report-writer.ts";
import { type ReportTotals, totalReports } from "../reports/report-totals.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/usage-documents.ts";
import { insertRows } from "../store/row-writes.ts";
import { writeUsageTotals } from "./usage-totals-writer.ts";
import { totalUsage, type UsageTotals } from "./usage-totals.ts";

/** The writes of a batch: built before the transaction begins, so that MongoDB never waits during one. */
export type PostingPlan = {
  readonly records: readonly UsageRecord[];
  readonly sums: UsageTotals;
  readonly reports: ReportTotals;
  readonly seconds: ReadonlyMap<number, Record<string, number>>;
  readonly rows: readonly LogDoc[];
  readonly tallies: readonly TallyChange[];
  /** Records without a row. */
  readonly unlogged: readonly UsageRecord[];
};

/** How records become rows: whether consumption is logged, the first row's number, and the time. */
export type PlanFacts = {
  readonly isConsumeLogged: boolean;
  readonly firstId: number;
  readonly nowSeconds: number;
};

/** Sums records that are all new. */
export function planPosting(records: readonly UsageRecord[], facts: PlanFacts): PostingPlan {
  const isShown = ({ type, released }: UsageRecord): boolean =>
    released !== true && (type !== LOG_TYPE.consume || facts.isConsumeLogged);
  const rows = records.filter(isShown).map((record, index) => toUsageRow(record, facts.firstId + index));
  return {
    records,
    sums: totalUsage(records),
    reports: totalReports(records.filter(({ released }) => released !== true)),
    seconds: sumCallsBySecond(records, facts.nowSeconds),
    rows,
    tallies: tallyRows(rows),
    unlogged: records.filter((record) => !isShown(record)),
  };
}

/** Writes a plan except for the ids of records without a row. Throws MongoDB's error, with the transaction aborted. */
export async function writePlan(collections: Collections, plan: PostingPlan, session: ClientSession): Promise<void> {
  await writeUsageTotals(collections, plan.sums, session);
  await writeReportTotals(collections, plan.reports, session);
  await writeCallsBySecond(collections, plan.seconds, session);
  await writeTallies(collections, plan.tallies, session);
  await insertRows(collections.logs, plan.rows, session);
}
