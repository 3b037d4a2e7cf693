import { LOG_TYPE } from "@turnpike/contract/limits";
import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { LogDoc, TallyDim, TallyDoc } from "../store/documents.ts";

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
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

type Place = { readonly dim: TallyDim; readonly value: string; readonly ofUser: boolean };

/** The tallies that a row counts in. */
function placesOf(row: TalliedRow): Place[] {
  const isCall = row.type === LOG_TYPE.consume;
  const places: Place[] = [
    { dim: "a", value: "", ofUser: false },
    { dim: "u", value: String(row.userId), ofUser: true },
  ];
  if (row.tokenName !== "")
    places.push({ dim: "t", value: row.tokenName, ofUser: true }, { dim: "n", value: row.tokenName, ofUser: false });
  if (row.modelName !== "") places.push({ dim: "m", value: row.modelName, ofUser: false });
  if (row.channel > 0) places.push({ dim: "c", value: String(row.channel), ofUser: false });
  if (row.group !== "") places.push({ dim: "g", value: row.group, ofUser: false });
  if (row.modelName !== "" && !isCall) places.push({ dim: "e", value: row.modelName, ofUser: true });
  return places;
}

const idOf = ({ dim, value, ofUser }: Place, row: TalliedRow, shard: string): string => {
  const day = dayOf(row.createdAt);
  return ofUser
    ? `${dim}:${row.userId}:${day}:${JSON.stringify([row.username, value])}`
    : `${dim}:${day}${shard}:${value}`;
};

function add(changes: Map<string, TallyChange>, row: TalliedRow, shard: string): void {
  const hour = Math.floor((row.createdAt % DAY_SECONDS) / HOUR_SECONDS);
  for (const place of placesOf(row)) {
    const _id = idOf(place, row, shard);
    let change = changes.get(_id);
    if (!change) {
      const user = place.ofUser ? { userId: row.userId, username: row.username } : {};
      change = { _id, dim: place.dim, value: place.value, day: dayOf(row.createdAt), ...user, inc: {} };
      changes.set(_id, change);
    }
    const { inc } = change;
    const count = `rows.${row.type}.${hour}`;
    inc[count] = (inc[count] ?? 0) + 1;
    if (row.type !== LOG_TYPE.consume) continue;
    const quota = `quota.${hour}`;
    inc[quota] = (inc[quota] ?? 0) + row.quota;
  }
}

/** What rows add to the tallies, sorted by id: two replicas that write in this order cannot wait for each other in a circle. */
export function tallyRows(rows: readonly TalliedRow[], isOfCalls = true): TallyChange[] {
  const changes = new Map<string, TallyChange>();
  for (const row of rows) add(changes, row, isOfCalls ? "" : `/${row.userId % SHARDS}`);
  return [...changes.values()].toSorted((a, b) => (a._id < b._id ? -1 : 1));
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
