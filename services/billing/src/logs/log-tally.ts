import { LOG_TYPE } from "@turnpike/contract/limits";
import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { LogDoc, TallyDim, TallyDoc } from "../store/documents.ts";

const HOUR_SECONDS = 3_600;
const HOURS_OF_DAY = 24;
const DAY_SECONDS = HOURS_OF_DAY * HOUR_SECONDS;
/** Rows of events are counted for the site in so many documents, so that the people they happen to do not wait for each other. */
const SHARDS = 16;

/** What of a row is counted. */
export type TalliedRow = Pick<
  LogDoc,
  "createdAt" | "type" | "userId" | "username" | "tokenName" | "modelName" | "channel" | "group" | "quota"
>;
/** What is added to one tally: increments by the paths of its fields. */
export type TallyChange = Pick<TallyDoc, "_id" | "dim" | "value" | "day" | "userId" | "username"> & {
  readonly inc: Record<string, number>;
};

export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS);

type Tallying = {
  readonly changes: TallyChange[];
  /** By a short key that costs less to make than the id. */
  readonly byKey: Map<string, TallyChange>;
};
type Place = { readonly dim: TallyDim; readonly value: string; readonly ofUser: boolean };

const COUNT_PATHS = new Map<number, string>();
/** The path of an hour's rows of a type, made once: every row is counted in up to eight places. */
function countPath(type: number, hour: number): string {
  const place = type * HOURS_OF_DAY + hour;
  let path = COUNT_PATHS.get(place);
  if (path === undefined) COUNT_PATHS.set(place, (path = `rows.${type}.${hour}`));
  return path;
}
const QUOTA_PATHS = Array.from({ length: HOURS_OF_DAY }, (_, hour) => `quota.${hour}`);

const idOf = ({ dim, value, ofUser }: Place, row: TalliedRow, day: number, shard: string): string =>
  ofUser ? `${dim}:${row.userId}:${day}:${JSON.stringify([row.username, value])}` : `${dim}:${day}${shard}:${value}`;

/** Adds rows up; every row goes to each of the tallies that it counts in. */
function addRow({ changes, byKey }: Tallying, row: TalliedRow, shard: string): void {
  const { createdAt, type, userId, username, tokenName, modelName, channel, group } = row;
  const day = dayOf(createdAt);
  const hour = Math.floor((createdAt % DAY_SECONDS) / HOUR_SECONDS);
  const isCall = type === LOG_TYPE.consume;
  const rows = countPath(type, hour);
  const quota = QUOTA_PATHS[hour] ?? `quota.${hour}`;
  const count = (dim: TallyDim, value: string, ofUser: boolean): void => {
    const key = ofUser ? `${dim}${day} ${userId} ${username}\n${value}` : `${dim}${day}${shard} ${value}`;
    let change = byKey.get(key);
    if (!change) {
      const user = ofUser ? { userId, username } : {};
      change = { _id: idOf({ dim, value, ofUser }, row, day, shard), dim, value, day, ...user, inc: {} };
      byKey.set(key, change);
      changes.push(change);
    }
    const { inc } = change;
    inc[rows] = (inc[rows] ?? 0) + 1;
    if (isCall) inc[quota] = (inc[quota] ?? 0) + row.quota;
  };
  count("a", "", false);
  count("u", String(userId), true);
  if (tokenName !== "") {
    count("t", tokenName, true);
    count("n", tokenName, false);
  }
  if (modelName !== "") count("m", modelName, false);
  if (channel > 0) count("c", String(channel), false);
  if (group !== "") count("g", group, false);
  if (modelName !== "" && !isCall) count("e", modelName, true);
}

/** Adds rows up until their changes are taken; for rows that come in several parts. */
export function createTally() {
  let tallying: Tallying = { changes: [], byKey: new Map() };
  return {
    add(rows: readonly TalliedRow[], isOfCalls = true): void {
      for (const row of rows) addRow(tallying, row, isOfCalls ? "" : `/${row.userId % SHARDS}`);
    },
    /** Sorted by id: two replicas that write in this order cannot wait for each other in a circle. */
    take(): TallyChange[] {
      const { changes } = tallying;
      tallying = { changes: [], byKey: new Map() };
      return changes.toSorted((a, b) => (a._id < b._id ? -1 : 1));
    },
  };
}

/** What rows add to the tallies, sorted by id. */
export function tallyRows(rows: readonly TalliedRow[], isOfCalls = true): TallyChange[] {
  const tally = createTally();
  tally.add(rows, isOfCalls);
  return tally.take();
}

/** Writes changes, in the transaction of their rows where there is one. */
export async function writeTallies(
  { logTallies }: Pick<Collections, "logTallies">,
  changes: readonly TallyChange[],
  session?: ClientSession,
): Promise<void> {
  if (changes.length === 0) return;
  const operations = changes.map(({ _id, inc, ...fixed }) => ({
    updateOne: { filter: { _id }, update: { $inc: inc, $setOnInsert: fixed }, upsert: true },
  }));
  await logTallies.bulkWrite(operations as never, { ordered: session !== undefined, ...(session ? { session } : {}) });
}
