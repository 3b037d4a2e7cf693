import { REDEMPTION_STATUS } from "@turnpike/contract/api/redemption";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession } from "mongoose";
import type { RedemptionDoc, RedemptionUseDoc } from "../../../services/billing/src/store/payment-documents.ts";
import type { FamilyContext } from "../source/family-install.ts";
import type { SourceId } from "../source/install-reader.ts";
import { type CodeUses, readCodeUses } from "../code-uses.ts";
import type { SourceRow } from "../source/open-source.ts";
import { createNumbers, inBatches, type Numbers, readImported, recordImported } from "./import-context.ts";
import { getFlag, isDeleted, getText, getInteger } from "../source/source-rows.ts";

const CODES_A_TRANSACTION = 500;
const IDS_A_QUERY = 10_000;
const STATUSES: readonly number[] = Object.values(REDEMPTION_STATUS);

/** Parses a row of `redemptions` of any of the three products; the user who redeemed it is separate. */
export function readCode(row: SourceRow): Omit<RedemptionDoc, "_id" | "usedUserId"> {
  const isGift = getFlag(row, "is_gift");
  const status = getInteger(row, "status");
  const isUsed = status === REDEMPTION_STATUS.used;
  const maxUses = getInteger(row, "max_uses");
  return {
    key: getText(row, "key").trim(),
    name: getText(row, "name").trim(),
    status: STATUSES.includes(status) ? status : REDEMPTION_STATUS.disabled,
    quota: getInteger(row, "quota"),
    createdAt: getInteger(row, "created_time"),
    redeemedAt: getInteger(row, "redeemed_time"),
    isGift,
    maxUses: !isGift ? 1 : maxUses < 0 ? -1 : maxUses,
    usedCount: isGift ? getInteger(row, "used_count") : isUsed ? 1 : 0,
    validFrom: getInteger(row, "valid_from"),
    validUntil: getInteger(row, "valid_until") || getInteger(row, "expired_time"),
  };
}

type NewCode = { readonly sourceId: number; readonly doc: RedemptionDoc; readonly uses: readonly RedemptionUseDoc[] };

const getFigures = ({ quota, usedCount }: Pick<RedemptionDoc, "quota" | "usedCount">) => ({
  rows: 1,
  quota,
  uses: usedCount,
});

/** The users who cannot use a code again. */
function toUses(
  { _id: codeId, usedUserId, usedCount, redeemedAt }: RedemptionDoc,
  known: CodeUses = new Map(),
  users: ReadonlyMap<SourceId, number>,
): RedemptionUseDoc[] {
  if (usedCount === 0) return [];
  const times = new Map(usedUserId > 0 ? [[usedUserId, redeemedAt]] : []);
  for (const [sourceUser, atSeconds] of known) {
    const userId = users.get(sourceUser);
    if (userId !== undefined) times.set(userId, atSeconds);
  }
  return [...times].map(([userId, createdAt]) => ({ _id: `${codeId}:${userId}`, codeId, userId, createdAt }));
}

/** The codes of the source that are new here; the others are reported. */
async function readNewCodes(
  context: FamilyContext,
  users: ReadonlyMap<SourceId, number>,
  { stored, numbers }: { readonly stored: readonly Pick<RedemptionDoc, "key">[]; readonly numbers: Numbers },
) {
  const { source, report } = context;
  const known = await readImported(context, "redemptions");
  const keys = new Set(stored.map(({ key }) => key));
  const codeUses = readCodeUses(source);
  return (function* codes(): Generator<NewCode> {
    for (const row of source.rows("redemptions", "id")) {
      const sourceId = getInteger(row, "id");
      const code = readCode(row);
      const before = known.get(String(sourceId));
      if (isDeleted(row) || code.key === "" || (!before && keys.has(code.key))) {
        const why = isDeleted(row) ? "it was deleted" : "its key is empty or known here";
        report.note(`code ${sourceId} (${code.name}) is left out: ${why}`);
        continue;
      }
      report.source("codes", getFigures(code));
      if (before) {
        report.target("codes", before.figures);
        continue;
      }
      keys.add(code.key);
      const usedUserId = code.usedCount === 0 ? 0 : (users.get(getInteger(row, "used_user_id")) ?? 0);
      const doc = { _id: numbers.take(sourceId), ...code, usedUserId };
      const uses = toUses(doc, codeUses.get(sourceId), users);
      if (uses.length < code.usedCount)
        report.note(
          `code ${sourceId} (${code.name}) was used ${code.usedCount} times, and the source names ${uses.length} users of this install`,
        );
      yield { sourceId, doc, uses };
    }
  })();
}

/** Stores a batch of codes and their uses. */
async function storeCodes(context: FamilyContext, batch: readonly NewCode[], session: ClientSession): Promise<void> {
  const { redemptions, redemptionUses } = context.collections;
  const docs = batch.map(({ doc }) => doc);
  await redemptions.insertMany(docs, { session });
  const uses = batch.flatMap((code) => code.uses);
  if (uses.length > 0) await redemptionUses.insertMany(uses, { session });
  const rows = batch.map(({ sourceId, doc }) => ({ sourceId, target: doc._id, figures: getFigures(doc) }));
  await recordImported(context, { table: "redemptions", rows }, session);
}

/** Imports redemption and gift codes, and who used them as far as the source records it. */
export async function importCodes(context: FamilyContext, users: ReadonlyMap<SourceId, number>): Promise<void> {
  const { redemptions } = context.collections;
  const stored = await redemptions.find({}, { projection: { key: 1 } }).toArray();
  const numbers = createNumbers(context, "redemptions", new Set(stored.map(({ _id }) => _id)));
  const ids: number[] = [];
  for (const batch of inBatches(await readNewCodes(context, users, { stored, numbers }), CODES_A_TRANSACTION)) {
    if (context.isDryRun) continue;
    await inTransaction(context.connection, async (session) => {
      await storeCodes(context, batch, session);
      await numbers.store(session);
    });
    ids.push(...batch.map(({ doc }) => doc._id));
  }
  for (const part of inBatches(ids, IDS_A_QUERY))
    for (const code of await redemptions.find({ _id: { $in: part } }).toArray())
      context.report.target("codes", getFigures(code));
}
