import { LOG_TYPE } from "@turnpike/contract/limits";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { ClientSession } from "mongoose";
import { rowOfUsage } from "../logs/log-row.ts";
import { sumSeconds, writeSeconds } from "../logs/request-rates.ts";
import { type TallyChange, tallyRows, writeTallies } from "../logs/log-tallies.ts";
import { addReports } from "../reports/report-writer.ts";
import { type ReportSums, sumReports } from "../reports/report-totals.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/documents.ts";
import { insertRows } from "../store/row-writes.ts";
import { addSums } from "./usage-totals-writer.ts";
import { sumUsage, type UsageSums } from "./usage-totals.ts";

/** What records write: made before their transaction begins, so that MongoDB waits for nothing in the middle of one. */
export type BookingPlan = {
  readonly records: readonly UsageRecord[];
  readonly sums: UsageSums;
  readonly reports: ReportSums;
  readonly seconds: ReadonlyMap<number, Record<string, number>>;
  readonly rows: readonly LogDoc[];
  readonly tallies: readonly TallyChange[];
  /** Those that leave no row. */
  readonly unlogged: readonly UsageRecord[];
};

/** How records become rows: whether consumption leaves one, the number of the first, and the time. */
export type PlanFacts = {
  readonly isConsumeLogged: boolean;
  readonly firstId: number;
  readonly nowSeconds: number;
};

/** Adds up records that are all new. */
export function planBooking(records: readonly UsageRecord[], facts: PlanFacts): BookingPlan {
  const isShown = ({ type }: UsageRecord): boolean => type !== LOG_TYPE.consume || facts.isConsumeLogged;
  const rows = records.filter(isShown).map((record, index) => rowOfUsage(record, facts.firstId + index));
  return {
    records,
    sums: sumUsage(records),
    reports: sumReports(records),
    seconds: sumSeconds(records, facts.nowSeconds),
    rows,
    tallies: tallyRows(rows),
    unlogged: records.filter((record) => !isShown(record)),
  };
}

/** Writes a plan but for what is kept of records without a row. Throws what MongoDB throws, with the transaction lost. */
export async function writePlan(collections: Collections, plan: BookingPlan, session: ClientSession): Promise<void> {
  await addSums(collections, plan.sums, session);
  await addReports(collections, plan.reports, session);
  await writeSeconds(collections, plan.seconds, session);
  await writeTallies(collections, plan.tallies, session);
  await insertRows(collections.logs, plan.rows, session);
}
