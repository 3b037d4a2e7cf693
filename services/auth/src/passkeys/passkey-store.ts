import { AppError } from "@turnpike/shared/errors/app-error";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { PasskeyDoc, PasskeyModel } from "./passkey-model.ts";

export type PasskeyStore = ReturnType<typeof createPasskeyStore>;

/** The only file that accesses stored passkeys. */
export function createPasskeyStore(model: PasskeyModel) {
  return {
    async find(id: string): Promise<PasskeyDoc | undefined> {
      return (await model.findById(id).maxTimeMS(QUERY_TIMEOUT_MS).lean<PasskeyDoc | null>()) ?? undefined;
    },
    /** A user's passkeys, oldest first. */
    list: (userId: number): Promise<PasskeyDoc[]> =>
      model.find({ userId }).sort({ createdAtSeconds: 1 }).maxTimeMS(QUERY_TIMEOUT_MS).lean<PasskeyDoc[]>().exec(),
    count: (userId: number): Promise<number> => model.countDocuments({ userId }).maxTimeMS(QUERY_TIMEOUT_MS).exec(),
    /** Stores a new passkey; throws passkey_refused when the credential is already registered. */
    async insert(doc: PasskeyDoc): Promise<void> {
      try {
        await model.create([doc]);
      } catch (error) {
        throw isDuplicateKey(error)
          ? new AppError("passkey_refused", "the credential already exists", { cause: error })
          : error;
      }
    },
    /** Records a use; false when another use was recorded since the passkey was read. */
    async recordUse(doc: PasskeyDoc, use: { counter: number; backedUp: boolean; atSeconds: number }): Promise<boolean> {
      const { counter, backedUp, atSeconds } = use;
      const result = await model.updateOne(
        { _id: doc._id, counter: doc.counter },
        { $set: { counter, backedUp, lastUsedAtSeconds: atSeconds } },
      );
      return result.matchedCount === 1;
    },
    async rename(userId: number, id: string, name: string): Promise<PasskeyDoc | undefined> {
      const after = await model
        .findOneAndUpdate({ _id: id, userId }, { $set: { name } }, { returnDocument: "after" })
        .lean<PasskeyDoc | null>();
      return after ?? undefined;
    },
    /** Removes a passkey; false when the user has no such passkey. */
    remove: async (userId: number, id: string): Promise<boolean> =>
      (await model.deleteOne({ _id: id, userId })).deletedCount === 1,
  };
}
