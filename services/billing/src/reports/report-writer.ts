import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import { updateRows } from "../store/row-writes.ts";
import type { ReportTotals } from "./report-totals.ts";

const prefixed = (name: string, steps: Readonly<Record<string, number>> | undefined): Record<string, number> =>
  Object.fromEntries(Object.entries(steps ?? {}).map(([step, count]) => [`${name}.${step}`, count]));

/**
 * Adds a batch's sums to the reports, in the transaction that posts it; the few rows that every batch updates come
 * first.
 */
export async function writeReportTotals(
  collections: Pick<Collections, "hourHealth" | "channelDays" | "userDays">,
  sums: ReportTotals,
  session: ClientSession,
): Promise<void> {
  const { hourHealth, channelDays, userDays } = collections;
  await updateRows(
    hourHealth,
    sums.hours.map(({ _id, count, errors, total, firstToken }) => {
      const $inc = { count, errors, ...prefixed("total", total), ...prefixed("firstToken", firstToken) };
      return { _id, change: { $inc } };
    }),
    session,
  );
  await updateRows(
    channelDays,
    sums.channels.map(({ _id, day, channelId, channelName, ...$inc }) => {
      return { _id, change: { $inc, $set: { channelName }, $setOnInsert: { day, channelId } } };
    }),
    session,
  );
  await updateRows(
    userDays,
    sums.users.map(({ _id, day, userId, username, ...$inc }) => {
      return { _id, change: { $inc, $set: { username }, $setOnInsert: { day, userId } } };
    }),
    session,
  );
}
