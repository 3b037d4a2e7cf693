import { LOG_TYPE } from "@turnpike/contract/codes";
import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/usage-documents.ts";
import type { TallyDim, TallyDoc } from "../store/sum-documents.ts";
import { getDayNumber } from "../store/calendar.ts";
import { updateRows } from "../store/row-writes.ts";

const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;
const PARTS_MAX = 60;
const HOURS_OF_DAY = 24;
const DAY_SECONDS = HOURS_OF_DAY * HOUR_SECONDS;
/** Event rows of the site are spread over this many documents, so that concurrent events do not block each other. */
const SHARDS = 16;

/** The counted fields of a row. */
export type TalliedRow = Pick<
  LogDoc,
  "createdAt" | "type" | "userId" | "username" | "tokenName" | "modelName" | "channel" | "group" | "quota"
>;
/** Increments of one tally, by field path. */
export type TallyChange = Omit<TallyDoc, "rows" | "quota"> & {
  readonly inc: Record<string, number>;
};

type Tallying = {
  readonly changes: TallyChange[];
  /** Keyed by a short key that is cheaper to build than the id. */
  readonly byKey: Map<string, TallyChange>;
};

const COUNT_PATHS = new Map<number, string>();
/** The path of a row type's counter in an hour or a minute, cached because every row is counted in a dozen places. */
function countPath(type: number, part: number): string {
  const place = type * PARTS_MAX + part;
  let path = COUNT_PATHS.get(place);
  if (path === undefined) COUNT_PATHS.set(place, (path = `rows.${type}.${part}`));
  return path;
}
/** Rows of an hour by minute: pages of a busy hour begin within it. */
const toMinutesId = (hour: number, shard: string, what: string): string => `h:${hour}${shard}:${what}`;
/** The ids of an hour's minute tallies, for calls and for events. */
export function minutesIds(hour: number, dim: TallyDim, values: readonly string[]): string[] {
  const shards = ["", ...Array.from({ length: SHARDS }, (_, shard) => `/${shard}`)];
  return values.flatMap((value) => shards.map((shard) => toMinutesId(hour, shard, dim + value)));
}
const QUOTA_PATHS = Array.from({ length: PARTS_MAX }, (_, part) => `quota.${part}`);

/** Sums rows; every row is added to each of its tallies. */
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
  const addForUser = (dim: TallyDim, value: string): void =>
    addTo(
      getChange(`${dim}${day} ${userId} ${username}\n${value}`, () => {
        const _id = `${dim}:${userId}:${day}:${JSON.stringify([username, value])}`;
        return { _id, dim, value, userId, username };
      }),
    );
  const addForAll = (dim: TallyDim, value: string): void => {
    addTo(getChange(`${dim}${day}${shard} ${value}`, () => ({ _id: `${dim}:${day}${shard}:${value}`, dim, value })));
    const what = dim + value;
    const inc = getChange(`${hourStart}${shard} ${what}`, () => {
      return { _id: toMinutesId(hourStart, shard, what), dim: "h", value: what };
    });
    inc[minutes] = (inc[minutes] ?? 0) + 1;
    if (isCall) inc[quotaOfMinute] = (inc[quotaOfMinute] ?? 0) + row.quota;
  };
  addForAll("a", "");
  addForUser("u", String(userId));
  if (tokenName !== "") {
    addForUser("t", tokenName);
    addForAll("n", tokenName);
  }
  if (modelName !== "") addForAll("m", modelName);
  if (channel > 0) addForAll("c", String(channel));
  if (group !== "") addForAll("g", group);
  if (modelName !== "" && !isCall) addForUser("e", modelName);
  if (modelName === "" && channel === 0) return;
  addTo(
    getChange(`x${day}${shard} ${channel} ${group}\n${modelName}`, () => {
      const _id = `x:${day}${shard}:${JSON.stringify([modelName, channel, group])}`;
      return { _id, dim: "x", value: "", modelName, channel, group };
    }),
  );
}

/** Sums rows until their changes are taken; for rows that arrive in several parts. */
export function createTally() {
  let tallying: Tallying = { changes: [], byKey: new Map() };
  return {
    add(rows: readonly TalliedRow[], isOfCalls = true): void {
      for (const row of rows) addRow(tallying, row, isOfCalls ? "" : `/${row.userId % SHARDS}`);
    },
    /** Sorted by id: two replicas that write in this order cannot deadlock. */
    take(): TallyChange[] {
      const { changes } = tallying;
      tallying = { changes: [], byKey: new Map() };
      return changes.toSorted((a, b) => (a._id < b._id ? -1 : 1));
    },
  };
}

/** The rows' tally increments, sorted by id. */
export function tallyRows(rows: readonly TalliedRow[], isOfCalls = true): TallyChange[] {
  const tally = createTally();
  tally.add(rows, isOfCalls);
  return tally.take();
}

/** Writes the increments, in the rows' transaction if there is one. */
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
