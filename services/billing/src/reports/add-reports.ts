import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { ReportSums } from "./report-sums.ts";

const prefixed = (name: string, steps: Readonly<Record<string, number>> | undefined): Record<string, number> =>
  Object.fromEntries(Object.entries(steps ?? {}).map(([step, count]) => [`${name}.${step}`, count]));

/** Adds a batch's sums to the reports, in the transaction that books it: what few rows every batch touches comes first. */
export async function addReports(
  collections: Pick<Collections, "hourHealth" | "channelDays" | "userDays">,
  sums: ReportSums,
  session: ClientSession,
): Promise<void> {
  const { hourHealth, channelDays, userDays } = collections;
  const upsert = true;
  if (sums.hours.length > 0) {
    const operations = sums.hours.map(({ _id, count, errors, total, firstToken }) => {
      const $inc = { count, errors, ...prefixed("total", total), ...prefixed("firstToken", firstToken) };
      return { updateOne: { filter: { _id }, update: { $inc }, upsert } };
    });
    await hourHealth.bulkWrite(operations, { session });
  }
  if (sums.channels.length > 0) {
    const operations = sums.channels.map(({ _id, day, channelId, channelName, ...$inc }) => {
      const update = { $inc, $set: { channelName }, $setOnInsert: { day, channelId } };
      return { updateOne: { filter: { _id }, update, upsert } };
    });
    await channelDays.bulkWrite(operations, { session });
  }
  if (sums.users.length > 0) {
    const operations = sums.users.map(({ _id, day, userId, username, ...$inc }) => {
      const update = { $inc, $set: { username }, $setOnInsert: { day, userId } };
      return { updateOne: { filter: { _id }, update, upsert } };
    });
    await userDays.bulkWrite(operations, { session });
  }
}
