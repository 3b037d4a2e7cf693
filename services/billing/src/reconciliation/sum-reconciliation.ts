import { IN_SNAPSHOT } from "@turnpike/shared/mongo/mongo";
import { type ClientSession, type Connection, mongo } from "mongoose";
import { DAY_SECONDS } from "../store/calendar.ts";
import type { Collections } from "../store/collections.ts";
import { exactSum, readExactSum } from "../store/sum-field.ts";
import type { Findings } from "./findings.ts";
import { reconcileTokenDays } from "./token-day-reconciliation.ts";

type Sums = { readonly quota: bigint; readonly count: bigint };
type Row = { _id: number; quota: unknown; count: unknown };
type Name = "userDays" | "channelDays" | "marginDays" | "rollups" | "siteRollups" | "channelTotals";

/** MongoDB keeps a snapshot for five minutes; the sums of a very large database take longer. */
const SNAPSHOT_TOO_OLD = 239;
const NO_SUMS: Sums = { quota: 0n, count: 0n };
const DAY_OF_HOUR = { $subtract: ["$hour", { $mod: ["$hour", DAY_SECONDS] }] };

type Query = {
  readonly by: string | typeof DAY_OF_HOUR;
  readonly where?: Readonly<Record<string, unknown>>;
  readonly count?: string;
};

/** A collection whose documents are only read by an aggregation. */
const toPlain = (collection: unknown): mongo.Collection => collection as mongo.Collection;

/** Reads sums and limits of collections as of one moment. */
function createSumReader(collections: Collections, session: ClientSession) {
  const options = { session, ...IN_SNAPSHOT, allowDiskUse: true };
  return {
    async sums(name: Name, { by, where = {}, count = "count" }: Query): Promise<Map<number, Sums>> {
      const group = { _id: typeof by === "string" ? `$${by}` : by, quota: exactSum("quota"), count: exactSum(count) };
      const rows = toPlain(collections[name]).aggregate<Row>([{ $match: where }, { $group: group }], options);
      const found = new Map<number, Sums>();
      for await (const { _id, quota, count: calls } of rows)
        found.set(_id, { quota: readExactSum(quota), count: readExactSum(calls) });
      return found;
    },
    /** The first day of a collection; undefined while it is empty. */
    async firstDay(name: "userDays" | "marginDays"): Promise<number | undefined> {
      const rows = toPlain(collections[name]).aggregate<{ day: number }>(
        [{ $group: { _id: null, day: { $min: "$day" } } }],
        options,
      );
      return (await rows.next())?.day;
    },
    /** The first day with usage; the hour 0 holds what was used before an import. */
    async firstUsedDay(): Promise<number | undefined> {
      const rows = collections.siteRollups.aggregate<{ hour: number }>(
        [{ $match: { hour: { $gt: 0 } } }, { $group: { _id: null, hour: { $min: "$hour" } } }],
        options,
      );
      const hour = (await rows.next())?.hour;
      return hour === undefined ? undefined : hour - (hour % DAY_SECONDS);
    },
  };
}
type SumReader = ReturnType<typeof createSumReader>;

/** Records each owner whose sums differ. */
function compare(
  what: (id: number) => string,
  { actual, expected }: { readonly actual: ReadonlyMap<number, Sums>; readonly expected: ReadonlyMap<number, Sums> },
  findings: Findings,
): void {
  for (const id of new Set([...actual.keys(), ...expected.keys()])) {
    const [one, other] = [actual.get(id) ?? NO_SUMS, expected.get(id) ?? NO_SUMS];
    findings.same(`the quota of ${what(id)}`, one.quota, other.quota);
    findings.same(`the calls of ${what(id)}`, one.count, other.count);
  }
}

const toDate = (day: number): string => new Date(day * 1_000).toISOString().slice(0, 10);

/** A version that began to write sums did so in the middle of its first day. */
const getComparableDay = (first: number, reference: number): number =>
  first === reference ? first : first + DAY_SECONDS;

async function compareUserDays(read: SumReader, from: number, findings: Findings): Promise<void> {
  const [days, hours] = [{ day: { $gte: from } }, { hour: { $gte: from } }];
  const expected = await read.sums("rollups", { by: "userId", where: hours });
  const actual = await read.sums("userDays", { by: "userId", where: days });
  compare((id) => `user ${id} in the day totals`, { actual, expected }, findings);
  const byDay = await read.sums("userDays", { by: "day", where: days });
  const ofSite = await read.sums("siteRollups", { by: DAY_OF_HOUR, where: hours });
  compare((day) => `${toDate(day)} in the day totals`, { actual: byDay, expected: ofSite }, findings);
  findings.count("day totals of users", byDay.size);
}

async function compareMarginDays(read: SumReader, from: number, findings: Findings): Promise<void> {
  const where = { day: { $gte: from } };
  const actual = await read.sums("marginDays", { by: "day", where });
  const expected = await read.sums("userDays", { by: "day", where });
  compare((day) => `${toDate(day)} in the margin totals`, { actual, expected }, findings);
  const withChannel = { ...where, channelId: { $gt: 0 } };
  const byChannel = await read.sums("marginDays", { by: "channelId", where: withChannel });
  const channelDays = await read.sums("channelDays", { by: "channelId", where: withChannel });
  compare((id) => `channel ${id} in the day totals`, { actual: channelDays, expected: byChannel }, findings);
}

async function compareChannelTotals(connection: Connection, read: SumReader, findings: Findings): Promise<void> {
  const imported = await readImported(connection);
  if (imported.hasLogs)
    return findings.skip("channel totals with their days: imported log rows are in the days and not in the totals");
  const actual = await read.sums("channelTotals", { by: "_id", count: "requestCount" });
  const expected = await read.sums("channelDays", { by: "channelId" });
  for (const id of imported.channels) for (const sums of [actual, expected]) sums.delete(id);
  if (imported.channels.size > 0)
    findings.skip(`the totals of ${imported.channels.size} imported channels: they include what was used elsewhere`);
  compare((id) => `channel ${id} in all`, { actual, expected }, findings);
  findings.count("channel totals", actual.size);
}

type ImportedRow = { _id: string; table: string; target: number };

/** What the import tool has recorded: the channels that it created, and whether it brought log rows. */
async function readImported(connection: Connection): Promise<{ channels: ReadonlySet<number>; hasLogs: boolean }> {
  const rows = connection.collection<ImportedRow>("imported_rows");
  const channels = await rows.find({ table: "channels" }, { projection: { target: 1 } }).toArray();
  const hasLogs = (await rows.findOne({ table: "logs" })) !== null;
  return { channels: new Set(channels.map(({ target }) => target)), hasLogs };
}

async function compareSums(connection: Connection, read: SumReader, findings: Findings): Promise<void> {
  const [used, user, margin] = [
    await read.firstUsedDay(),
    await read.firstDay("userDays"),
    await read.firstDay("marginDays"),
  ];
  if (used === undefined) return;
  if (user === undefined) return findings.problem("there is usage, but there are no day totals");
  const from = getComparableDay(user, used);
  if (from > used) findings.skip(`the days before ${toDate(from)}: an earlier version had no day totals`);
  await compareUserDays(read, from, findings);
  if (margin !== undefined) {
    const marginFrom = Math.max(from, margin + DAY_SECONDS);
    findings.skip(
      `margin totals before ${toDate(marginFrom)}: a version without them may have posted calls on their first day`,
    );
    await compareMarginDays(read, marginFrom, findings);
  }
  if (from === used) await compareChannelTotals(connection, read, findings);
  else findings.skip("channel totals with their days: the totals are older than the day totals");
}

/**
 * Reconciles the sums of the reports with the hourly sums, which the ledger's reconciliation ties to the accounts: day totals of users,
 * of the site, of channels and of margins, and the totals of channels; the day totals of tokens with what each has spent. All of one
 * moment.
 */
export async function reconcileSums(
  connection: Connection,
  collections: Collections,
  findings: Findings,
): Promise<void> {
  const session = await connection.startSession({ snapshot: true });
  try {
    await compareSums(connection, createSumReader(collections, session), findings);
    await reconcileTokenDays(collections, session, findings);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError && error.code === SNAPSHOT_TOO_OLD)) throw error;
    findings.skip(
      "day totals, those of tokens and channel totals: MongoDB keeps a snapshot for too short a time (minSnapshotHistoryWindowInSeconds)",
    );
  } finally {
    await session.endSession();
  }
}
