import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import { type CostSums, toCostIncrements } from "../store/cost-sums.ts";
import { updateRows } from "../store/row-writes.ts";
import { toStepIncrements, writePartHealth } from "./part-health.ts";
import type { ReportTotals } from "./report-totals.ts";

const toIncrements = <Sums extends CostSums>({ costCount, costQuota, cost, ...sums }: Sums) => ({
  ...sums,
  ...toCostIncrements({ costCount, costQuota, cost }),
});

/**
 * Adds a batch's sums to the reports, in the transaction that posts it; the few rows that every batch updates come
 * first.
 */
export async function writeReportTotals(
  collections: Pick<Collections, "hourHealth" | "partHealth" | "channelDays" | "userDays" | "marginDays">,
  sums: ReportTotals,
  session: ClientSession,
): Promise<void> {
  const { hourHealth, channelDays, userDays, marginDays } = collections;
  await updateRows(
    hourHealth,
    sums.hours.map(({ _id, count, errors, total, firstToken }) => {
      const $inc = {
        count,
        errors,
        ...toStepIncrements("total", total),
        ...toStepIncrements("firstToken", firstToken),
      };
      return { _id, change: { $inc } };
    }),
    session,
  );
  await writePartHealth(collections, sums.parts, session);
  await updateRows(
    channelDays,
    sums.channels.map(({ _id, day, channelId, channelName, ...rest }) => {
      const $inc = toIncrements(rest);
      return { _id, change: { $inc, $set: { channelName }, $setOnInsert: { day, channelId } } };
    }),
    session,
  );
  await updateRows(
    userDays,
    sums.users.map(({ _id, day, userId, username, ...rest }) => {
      return { _id, change: { $inc: toIncrements(rest), $set: { username }, $setOnInsert: { day, userId } } };
    }),
    session,
  );
  await updateRows(
    marginDays,
    sums.margins.map(({ _id, day, channelId, channelName, group, modelName, ...rest }) => {
      const $setOnInsert = { day, channelId, group, modelName };
      return { _id, change: { $inc: toIncrements(rest), $set: { channelName }, $setOnInsert } };
    }),
    session,
  );
}
