import { REDEMPTION_STATUS } from "@turnpike/contract/api/redemption";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { mongo } from "mongoose";
import type { RecordAudit } from "@turnpike/shared/audit/audit-recorder";
import type { Collections } from "../store/collections.ts";
import type { RedemptionDoc } from "../store/payment-documents.ts";

export type RedemptionBulk = ReturnType<typeof createRedemptionBulk>;

const IDS_MAX = 1_000;
const WRITE_TIMEOUT_MS = 10_000;

function readName(text: string): string {
  const name = text.trim();
  if (name === "") throw new AppError("redemption_name_required", "no name");
  return name;
}

function readIds(ids: readonly number[]): number[] {
  if (ids.length === 0) throw new AppError("redemptions_required", "no codes are named");
  if (ids.length > IDS_MAX)
    throw new AppError("invalid_input", `${ids.length} codes at once`, { params: { detail: "ids" } });
  return [...new Set(ids)];
}

/** Bulk admin actions on codes; each returns how many it changed, and leaves one audit row. */
export function createRedemptionBulk(deps: { collections: Collections; audit: RecordAudit }) {
  const { audit } = deps;
  const { redemptions } = deps.collections;
  const bounded = { maxTimeMS: WRITE_TIMEOUT_MS };

  const remove = async (which: mongo.Filter<RedemptionDoc>): Promise<number> =>
    (await redemptions.deleteMany(which, bounded)).deletedCount;
  return {
    /** Disables the unused codes among these; a used one stays used, so that it can never be re-enabled. */
    async disable(actor: Actor, ids: readonly number[]): Promise<number> {
      const which = { _id: { $in: readIds(ids) }, status: REDEMPTION_STATUS.unused };
      const { modifiedCount } = await redemptions.updateMany(
        which,
        { $set: { status: REDEMPTION_STATUS.disabled } },
        bounded,
      );
      const after = { ids: ids.slice(0, 100), count: modifiedCount };
      await audit(actor, { action: "redemption.batch_disable", target: "redemption:*", after });
      return modifiedCount;
    },
    /** Deletes disabled and used-up codes. */
    async removeDisabled(actor: Actor): Promise<number> {
      const count = await remove({ status: { $in: [REDEMPTION_STATUS.disabled, REDEMPTION_STATUS.used] } });
      await audit(actor, { action: "redemption.delete_disabled", target: "redemption:*", after: { count } });
      return count;
    },
    countByName: (name: string): Promise<number> => redemptions.countDocuments({ name: readName(name) }, bounded),
    /** Deletes the codes with exactly this name. */
    async removeByName(actor: Actor, text: string): Promise<number> {
      const name = readName(text);
      const count = await remove({ name });
      await audit(actor, {
        action: "redemption.delete_by_name",
        target: "redemption:*",
        before: { name },
        after: { count },
      });
      return count;
    },
  };
}
