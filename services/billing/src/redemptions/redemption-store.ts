import { REDEMPTION_STATUS } from "@turnpike/contract/api/redemption";
import { AppError } from "@turnpike/shared/errors/app-error";
import { isDuplicateKey, allocateIds } from "@turnpike/shared/mongo/mongo";
import { readSearchPage, SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { ClientSession, Connection, mongo } from "mongoose";
import { type PageRange, QUERY_TIMEOUT_MS, SKIP_MAX, toPrefixPattern } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { RedemptionDoc } from "../store/payment-documents.ts";

export type RedemptionStore = ReturnType<typeof createRedemptionStore>;
export type NewRedemption = Omit<RedemptionDoc, "_id">;

const bounded = { maxTimeMS: QUERY_TIMEOUT_MS };
const searching = { maxTimeMS: SEARCH_TIMEOUT_MS };

function toFilter(keyword: string, id: number): mongo.Filter<RedemptionDoc> {
  if (id > 0) return { _id: id };
  if (keyword === "") return {};
  const byName = { name: toPrefixPattern(keyword) };
  return /^\d{1,15}$/.test(keyword) ? { $or: [{ _id: Number(keyword) }, byName] } : byName;
}

type Codes = Pick<Collections, "redemptions" | "redemptionUses">;

function createRedemptionQueries({ redemptions, redemptionUses }: Codes) {
  return {
    /** One page, newest first: all, one by its id, or those matching an id or a name prefix. */
    async list(keyword: string, id: number, range: PageRange): Promise<{ items: RedemptionDoc[]; total: number }> {
      const which = toFilter(keyword, id);
      const items = (): Promise<RedemptionDoc[]> =>
        redemptions.find(which, searching).sort({ _id: -1 }).skip(range.skip).limit(range.limit).toArray();
      const count = (): Promise<number> => redemptions.countDocuments(which, { ...searching, limit: SKIP_MAX });
      return readSearchPage({ items, count }, range);
    },
    async get(id: number): Promise<RedemptionDoc> {
      const code = await redemptions.findOne({ _id: id }, bounded);
      if (!code) throw new AppError("redemption_not_found", `no code ${id}`);
      return code;
    },
    findByKey: async (key: string, session?: ClientSession): Promise<RedemptionDoc | undefined> =>
      (await redemptions.findOne({ key }, session ? { session } : bounded)) ?? undefined,
    hasUsed: async (codeId: number, userId: number, session?: ClientSession): Promise<boolean> =>
      (await redemptionUses.findOne({ _id: `${codeId}:${userId}` }, session ? { session } : bounded)) !== null,
  };
}

function createRedemptionWrites({ redemptions, redemptionUses }: Codes) {
  return {
    /** Stores new codes; throws redemption_key_taken and stores none if a key exists. */
    async insert(codes: readonly NewRedemption[], session: ClientSession, firstId: number): Promise<void> {
      try {
        await redemptions.insertMany(
          codes.map((code, index) => ({ _id: firstId + index, ...code })),
          { session },
        );
      } catch (error) {
        const [first] = codes;
        if (!isDuplicateKey(error) || !first || codes.length > 1) throw error;
        throw new AppError("redemption_key_taken", "a code of this key exists", { params: { key: first.key } });
      }
    },
    /** Updates a code that is not used up; throws redemption_used or redemption_not_found. */
    async update(id: number, set: Partial<RedemptionDoc>): Promise<{ before: RedemptionDoc; after: RedemptionDoc }> {
      const before = await redemptions.findOneAndUpdate(
        { _id: id, status: { $ne: REDEMPTION_STATUS.used } },
        { $set: set },
        { returnDocument: "before", ...bounded },
      );
      if (before) return { before, after: { ...before, ...set } };
      const known = await redemptions.findOne({ _id: id }, bounded);
      if (known) throw new AppError("redemption_used", `code ${id} is used`);
      throw new AppError("redemption_not_found", `no code ${id}`);
    },
    async remove(id: number): Promise<RedemptionDoc> {
      const code = await redemptions.findOneAndDelete({ _id: id }, bounded);
      if (!code) throw new AppError("redemption_not_found", `no code ${id}`);
      return code;
    },
    /** Counts one use by a user, and marks the code as used with the last one. */
    async use(code: RedemptionDoc, userId: number, nowSeconds: number, session: ClientSession): Promise<void> {
      const isLast = code.maxUses !== -1 && code.usedCount + 1 >= code.maxUses;
      await redemptionUses.insertOne(
        { _id: `${code._id}:${userId}`, codeId: code._id, userId, createdAt: nowSeconds },
        { session },
      );
      await redemptions.updateOne(
        { _id: code._id },
        {
          $inc: { usedCount: 1 },
          $set: {
            redeemedAt: nowSeconds,
            usedUserId: userId,
            ...(isLast ? { status: REDEMPTION_STATUS.used } : {}),
          },
        },
        { session },
      );
    },
  };
}

/** The only file that accesses stored codes. */
export const createRedemptionStore = (deps: { connection: Connection; collections: Collections }) => ({
  ...createRedemptionQueries(deps.collections),
  ...createRedemptionWrites(deps.collections),
  takeIds: (count: number): Promise<number> => allocateIds(deps.connection, "redemptions", count),
});
