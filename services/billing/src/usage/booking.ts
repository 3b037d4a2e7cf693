import { LOG_TYPE } from "@turnpike/contract/limits";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { inTransaction, isDuplicateKey, takeNumbers } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import { rowOfUsage } from "../logs/log-row.ts";
import { sumSeconds, writeSeconds } from "../logs/log-seconds.ts";
import { tallyRows, writeTallies } from "../logs/log-tally.ts";
import { addReports } from "../reports/add-reports.ts";
import { sumReports } from "../reports/report-sums.ts";
import type { Collections } from "../store/collections.ts";
import type { StateDoc } from "../store/documents.ts";
import { addSums } from "./add-sums.ts";
import { sumUsage } from "./usage-sums.ts";

/** How long a booked record without a log row is remembered: longer than any record can wait on a relay's disk or in the stream. */
export const BOOKED_MS = 90 * 24 * 3600 * 1000;

const FIND_TIMEOUT_MS = 10_000;
/** Another replica may book the same record at the same moment; whoever is second looks again. */
const ATTEMPTS_MAX = 5;

type Deps = {
  readonly connection: Connection;
  readonly collections: Collections;
  /** False: consumption is summed but leaves no log row. */
  readonly isLogged: () => boolean;
  readonly nowMs: () => number;
};

export type BookRecords = ReturnType<typeof createBooking>;

/** Keeps one of each id, the first. */
function withoutRepeats(records: readonly UsageRecord[]): UsageRecord[] {
  const byId = new Map<string, UsageRecord>();
  for (const record of records) if (!byId.has(record.requestId)) byId.set(record.requestId, record);
  return [...byId.values()];
}

/**
 * Books records: log rows and all sums in one transaction. Records booked before change nothing. Answers those that were new.
 * Throws what MongoDB throws, with nothing booked.
 */
export function createBooking({ connection, collections, isLogged, nowMs }: Deps) {
  const { logs, booked, state } = collections;

  /** Ids that are booked, with a log row or, as far as `isLogSought` is false, without. */
  const findKnown = async (
    ids: readonly string[],
    session: ClientSession,
    isLogSought: boolean,
  ): Promise<Set<string>> => {
    const options = { session, maxTimeMS: FIND_TIMEOUT_MS };
    const unlogged = await booked.find({ _id: { $in: [...ids] } }, { ...options, projection: { _id: 1 } }).toArray();
    const rows = isLogSought
      ? await logs
          .find({ requestId: { $in: [...ids] } }, { ...options, projection: { _id: 0, requestId: 1 } })
          .toArray()
      : [];
    return new Set([...rows.map(({ requestId }) => requestId ?? ""), ...unlogged.map(({ _id }) => _id)]);
  };
  const keepUnlogged = async (records: readonly UsageRecord[], session: ClientSession): Promise<void> => {
    const expiresAt = new Date(nowMs() + BOOKED_MS);
    await booked.insertMany(
      records.map(({ requestId }) => ({ _id: requestId, expiresAt })),
      { session },
    );
    const id: StateDoc["_id"] = "logs";
    const known = await state.findOne({ _id: id, hasUnlogged: true }, { session, maxTimeMS: FIND_TIMEOUT_MS });
    if (!known) await state.updateOne({ _id: id }, { $set: { hasUnlogged: true } }, { session, upsert: true });
  };
  const bookWithin = async (
    unique: readonly UsageRecord[],
    { firstId, areRowsNew }: { readonly firstId: number; readonly areRowsNew: boolean },
    session: ClientSession,
  ): Promise<UsageRecord[]> => {
    const isConsumeShown = isLogged();
    const ids = unique.map(({ requestId }) => requestId);
    // A record that gets no row meets no unique index.
    const known = await findKnown(ids, session, !areRowsNew || !isConsumeShown);
    const fresh = unique.filter(({ requestId }) => !known.has(requestId));
    if (fresh.length === 0) return [];
    await addSums(collections, sumUsage(fresh), session);
    await addReports(collections, sumReports(fresh), session);
    const isShown = ({ type }: UsageRecord): boolean => type !== LOG_TYPE.consume || isConsumeShown;
    const shown = fresh.filter(isShown);
    const hidden = fresh.filter((record) => !isShown(record));
    await writeSeconds(collections, sumSeconds(fresh, Math.floor(nowMs() / 1000)), session);
    if (shown.length > 0) {
      const rows = shown.map((record, index) => rowOfUsage(record, firstId + index));
      await writeTallies(collections, tallyRows(rows), session);
      await logs.insertMany(rows, { session });
    }
    if (hidden.length > 0) await keepUnlogged(hidden, session);
    return fresh;
  };

  return async function bookRecords(records: readonly UsageRecord[]): Promise<UsageRecord[]> {
    const unique = withoutRepeats(records);
    if (unique.length === 0) return [];
    for (let attempt = 1; ; attempt++) {
      const firstId = await takeNumbers(connection, "logs", unique.length);
      try {
        // Repeats are rare, and the unique index of the log finds them: they are sought only once it has.
        const about = { firstId, areRowsNew: attempt === 1 };
        return await inTransaction(connection, (session) => bookWithin(unique, about, session));
      } catch (error) {
        if (!isDuplicateKey(error) || attempt === ATTEMPTS_MAX) throw error;
      }
    }
  };
}
