import { REDEMPTION_STATUS } from "@turnpike/contract/api/redemption";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { RedemptionDoc } from "../../services/billing/src/store/documents.ts";
import type { SourceRow } from "./open-source.ts";
import { createNumbers, importedId, type ImportPlace, inBatches, knownTargets } from "./place.ts";
import { flagOf, isDeleted, textOf, wholeOf } from "./source-rows.ts";

const CODES_A_TRANSACTION = 500;
const STATUSES: readonly number[] = Object.values(REDEMPTION_STATUS);

/** Parses a row of `redemptions` of any of the three products; the user who redeemed it is separate. */
export function readCode(row: SourceRow): Omit<RedemptionDoc, "_id" | "usedUserId"> {
  const isGift = flagOf(row, "is_gift");
  const status = wholeOf(row, "status");
  const isUsed = status === REDEMPTION_STATUS.used;
  const maxUses = wholeOf(row, "max_uses");
  return {
    key: textOf(row, "key").trim(),
    name: textOf(row, "name").trim(),
    status: STATUSES.includes(status) ? status : REDEMPTION_STATUS.disabled,
    quota: wholeOf(row, "quota"),
    createdAt: wholeOf(row, "created_time"),
    redeemedAt: wholeOf(row, "redeemed_time"),
    isGift,
    maxUses: !isGift ? 1 : maxUses < 0 ? -1 : maxUses,
    usedCount: isGift ? wholeOf(row, "used_count") : isUsed ? 1 : 0,
    validFrom: wholeOf(row, "valid_from"),
    validUntil: wholeOf(row, "valid_until") || wholeOf(row, "expired_time"),
  };
}

/** Imports redemption and gift codes, and who used them as far as the source records it. */
export async function importCodes(place: ImportPlace, users: ReadonlyMap<number, number>): Promise<void> {
  const { collections, source, report, imported, label } = place;
  const { redemptions, redemptionUses } = collections;
  const known = await knownTargets(place, "redemptions");
  const there = await redemptions.find({}, { projection: { key: 1 } }).toArray();
  const keys = new Set(there.map(({ key }) => key));
  const numbers = createNumbers(place, "redemptions", new Set(there.map(({ _id }) => _id)));
  const ids: number[] = [];

  function* fresh(): Generator<{ sourceId: number; doc: RedemptionDoc }> {
    for (const row of source.rows("redemptions", "id")) {
      const sourceId = wholeOf(row, "id");
      const code = readCode(row);
      const before = known.get(String(sourceId));
      if (isDeleted(row) || code.key === "" || (!before && keys.has(code.key))) {
        const why = isDeleted(row) ? "it was deleted" : "its key is empty or known here";
        report.note(`code ${sourceId} (${code.name}) is left out: ${why}`);
        continue;
      }
      report.source("codes", { rows: 1, quota: code.quota, uses: code.usedCount });
      if (before) {
        report.target("codes", before.figures);
        continue;
      }
      keys.add(code.key);
      const usedUserId = code.usedCount === 0 ? 0 : (users.get(wholeOf(row, "used_user_id")) ?? 0);
      yield { sourceId, doc: { _id: numbers.take(sourceId), ...code, usedUserId } };
    }
  }
  for (const batch of inBatches(fresh(), CODES_A_TRANSACTION)) {
    if (place.isDryRun) continue;
    await inTransaction(place.connection, async (session) => {
      await redemptions.insertMany(
        batch.map(({ doc }) => doc),
        { session },
      );
      const used = batch.flatMap(({ doc }) => (doc.usedUserId > 0 ? [doc] : []));
      if (used.length > 0)
        await redemptionUses.insertMany(
          used.map(({ _id, usedUserId: userId, redeemedAt }) => ({
            _id: `${_id}:${userId}`,
            codeId: _id,
            userId,
            createdAt: redeemedAt,
          })),
          { session },
        );
      await imported.insertMany(
        batch.map(({ sourceId, doc }) => ({
          _id: importedId(place, "redemptions", sourceId),
          label,
          table: "redemptions",
          target: doc._id,
          figures: { rows: 1, quota: doc.quota, uses: doc.usedCount },
        })),
        { session },
      );
      await numbers.keep(session);
    });
    ids.push(...batch.map(({ doc }) => doc._id));
  }
  for (const part of inBatches(ids, 10_000))
    for (const { quota, usedCount } of await redemptions.find({ _id: { $in: part } }).toArray())
      report.target("codes", { rows: 1, quota, uses: usedCount });
}
