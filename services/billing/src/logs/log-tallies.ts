import { LOG_TYPE } from "@turnpike/contract/limits";
import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { LogDoc, TallyDim, TallyDoc } from "../store/documents.ts";
import { getDayNumber } from "../store/calendar.ts";
import { updateRows } from "../store/row-writes.ts";

const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;
const PARTS_MAX = 60;
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
export type TallyChange = Omit<TallyDoc, "rows" | "quota"> & {
  readonly inc: Record<string, number>;
};

type Tallying = {
  readonly changes: TallyChange[];
  /** By a short key that costs less to make than the id. */
  readonly byKey: Map<string, TallyChange>;
};

const COUNT_PATHS = new Map<number, string>();
/** The path of the rows of a type in an hour or a minute, made once: every row is counted in a dozen places. */
function countPath(type: number, part: number): string {
  const place = type * PARTS_MAX + part;
  let path = COUNT_PATHS.get(place);
  if (path === undefined) COUNT_PATHS.set(place, (path = `rows.${type}.${part}`));
  return path;
}
/** Rows of an hour by minute: pages of a busy hour begin in the middle of it. */
const toMinutesId = (hour: number, shard: string, what: string): string => `h:${hour}${shard}:${what}`;
/** The ids of an hour's tally by minute, for calls and for events. */
export function minutesIds(hour: number, dim: TallyDim, values: readonly string[]): string[] {
  const shards = ["", ...Array.from({ length: SHARDS }, (_, shard) => `/${shard}`)];
  return values.flatMap((value) => shards.map((shard) => toMinutesId(hour, shard, dim + value)));
}
const QUOTA_PATHS = Array.from({ length: PARTS_MAX }, (_, part) => `quota.${part}`);

/** Adds rows up; every row goes to each of the tallies that it counts in. */
function addRow({ changes, byKey }: Tallying, row: TalliedRow, shard: string): void {
  const { createdAt, type, userId, username, tokenName, modelName, channel, group } = row;
  const day = getDayNumber(createdAt);
  const hour = Math.floor((createdAt % DAY_SECONDS) / HOUR_SECONDS);
  const isCall = type === LOG_TYPE.consume;
  const rows = countPath(type, hour);
  const hourStart = createdAt - (createdAt % HOUR_SECONDS);
  const minute = Math.floor((createdAt % HOUR_SECONDS) / MINUTE_SECONDS);
  const minutes = countPath(type, minute);
  const quotaOfMinute = QUOTA_PATHS[minute] ?? `quota.${minute}`;
  const quota = QUOTA_PATHS[hour] ?? `quota.${hour}`;
  const getChange = (key: string, make: () => Omit<TallyChange, "day" | "inc">): Record<string, number> => {
    const known = byKey.get(key);
    if (known) return known.inc;
    const made = { ...make(), day, inc: {} };
    byKey.set(key, made);
    changes.push(made);
    return made.inc;
  };
  const addTo = (inc: Record<string, number>): void => {
    inc[rows] = (inc[rows] ?? 0) + 1;
    if (isCall) inc[quota] = (inc[quota] ?? 0) + row.quota;
  };
  const ofUser = (dim: TallyDim, value: string): void =>
    addTo(
      getChange(`${dim}${day} ${userId} ${username}\n${value}`, () => {
        const _id = `${dim}:${userId}:${day}:${JSON.stringify([username, value])}`;
        return { _id, dim, value, userId, username };
      }),
    );
  const ofAll = (dim: TallyDim, value: string): void => {
    addTo(getChange(`${dim}${day}${shard} ${value}`, () => ({ _id: `${dim}:${day}${shard}:${value}`, dim, value })));
    const what = dim + value;
    const inc = getChange(`${hourStart}${shard} ${what}`, () => {
      return { _id: toMinutesId(hourStart, shard, what), dim: "h", value: what };
    });
    inc[minutes] = (inc[minutes] ?? 0) + 1;
    if (isCall) inc[quotaOfMinute] = (inc[quotaOfMinute] ?? 0) + row.quota;
  };
  ofAll("a", "");
  ofUser("u", String(userId));
  if (tokenName !== "") {
    ofUser("t", tokenName);
    ofAll("n", tokenName);
  }
  if (modelName !== "") ofAll("m", modelName);
  if (channel > 0) ofAll("c", String(channel));
  if (group !== "") ofAll("g", group);
  if (modelName !== "" && !isCall) ofUser("e", modelName);
  if (modelName === "" && channel === 0) return;
  addTo(
    getChange(`x${day}${shard} ${channel} ${group}\n${modelName}`, () => {
      const _id = `x:${day}${shard}:${JSON.stringify([modelName, channel, group])}`;
      return { _id, dim: "x", value: "", modelName, channel, group };
    }),
  );
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
  if (session)
    return updateRows(
      logTallies,
      changes.map(({ _id, inc, ...fixed }) => ({ _id, change: { $inc: inc, $setOnInsert: fixed } })),
      session,
    );
  const operations = changes.map(({ _id, inc, ...fixed }) => ({
    updateOne: { filter: { _id }, update: { $inc: inc, $setOnInsert: fixed }, upsert: true },
  }));
  await logTallies.bulkWrite(operations as never, { ordered: false });
}
