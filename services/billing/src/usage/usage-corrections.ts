import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { ClientSession } from "mongoose";
import { tallyRows, type TallyChange, writeTallies } from "../logs/log-tallies.ts";
import { totalReports } from "../reports/report-totals.ts";
import { writeReportTotals } from "../reports/report-writer.ts";
import type { Collections } from "../store/collections.ts";
import { writeUsageTotals } from "./usage-totals-writer.ts";
import { totalUsage } from "./usage-totals.ts";

const FIND_TIMEOUT_MS = 10_000;
/** The highest authority of a record. */
const OWN_CHARGE = 3;

/**
/**
 * How much a record knows of its call: an estimate from a hold, its settled cost or what was posted without a signature, the
 * report that a hold without an entry was released, or the relay's own charge.
 */
function getAuthority({ recovered, settled, released, unsigned }: UsageRecord): number {
  if (unsigned === true) return 1;
  if (recovered === true) return settled === true ? 1 : 0;
  return released === true ? 2 : OWN_CHARGE;
}

/** Whether a better record of the same call may follow: all but the relay's own charge. */
export const isReplaceable = (record: UsageRecord): boolean => getAuthority(record) < OWN_CHARGE;

/**
 * Whether a record replaces another of the same call. The relay's own charge replaces what was recovered, released or
 * unsigned: a call may run on after its hold was released (fail-open mode), or run again under the same request id. A settled
 * cost replaces an estimate, and the larger of two estimates counts, because it is the later one.
 */
export function isSuperior(record: UsageRecord, posted: UsageRecord): boolean {
  const [authority, known] = [getAuthority(record), getAuthority(posted)];
  return authority > known || (authority === 0 && known === 0 && record.quota > posted.quota);
}

const negated = ({ inc, ...change }: TallyChange): TallyChange => ({
  ...change,
  inc: Object.fromEntries(Object.entries(inc).map(([path, count]) => [path, -count])),
});

/**
 * Reverts posted records that better ones replace, in the transaction that posts those: rows, sums, tallies and ids. A row
 * that was deleted meanwhile is no longer tallied; a released record has only its id.
 */
export async function reverseReplaced(
  collections: Collections,
  replaced: readonly UsageRecord[],
  session: ClientSession,
): Promise<void> {
  if (replaced.length === 0) return;
  const estimates = replaced.filter(({ released }) => released !== true);
  const ids = estimates.map(({ requestId }) => requestId);
  const rows = await collections.logs
    .find({ requestId: { $in: ids } }, { session, maxTimeMS: FIND_TIMEOUT_MS })
    .toArray();
  await writeUsageTotals(collections, totalUsage(estimates, -1), session);
  await writeReportTotals(collections, totalReports(estimates, -1), session);
  await writeTallies(collections, tallyRows(rows).map(negated), session);
  await collections.logs.deleteMany({ requestId: { $in: ids } }, { session });
  await collections.postedRecords.deleteMany({ _id: { $in: replaced.map(({ requestId }) => requestId) } }, { session });
}
