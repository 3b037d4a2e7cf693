import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { ClientSession } from "mongoose";
import type { TwoFactorDoc, TwoFactorModel } from "./two-factor-model.ts";

export type TwoFactorStore = ReturnType<typeof createTwoFactorStore>;

/** The only file that accesses stored second factors. */
export function createTwoFactorStore(model: TwoFactorModel) {
  const changed = async (result: Promise<{ modifiedCount: number }>): Promise<boolean> =>
    (await result).modifiedCount === 1;
  return {
    async find(userId: number): Promise<TwoFactorDoc | undefined> {
      return (await model.findById(userId).maxTimeMS(QUERY_TIMEOUT_MS).lean<TwoFactorDoc | null>()) ?? undefined;
    },
    /** Stores a shown secret; false when the factor is on. */
    async offer(userId: number, newSecretBox: string): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { newSecretBox } }, { upsert: true });
    },
    /** Activates the shown secret; false when it is already on or another secret was shown since. */
    enable: (userId: number, newSecretBox: string, fields: Partial<TwoFactorDoc>): Promise<boolean> =>
      changed(
        model
          .updateOne(
            { _id: userId, newSecretBox, enabledAtSeconds: 0 },
            { $set: { ...fields, secretBox: newSecretBox, newSecretBox: "" } },
          )
          .exec(),
      ),
    /** Marks a time step as used; false when it, or a later one, was used before. */
    useStep: (userId: number, step: number): Promise<boolean> =>
      changed(model.updateOne({ _id: userId, lastStep: { $lt: step } }, { $set: { lastStep: step } }).exec()),
    /** Consumes a recovery code; false when there is no such code left. */
    useRecovery: (userId: number, hash: string): Promise<boolean> =>
      changed(model.updateOne({ _id: userId, recoveryHashes: hash }, { $pull: { recoveryHashes: hash } }).exec()),
    async replaceRecovery(userId: number, recoveryHashes: string[]): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { recoveryHashes } });
    },
    async remove(userId: number, session?: ClientSession): Promise<void> {
      await model.deleteOne({ _id: userId }, session ? { session } : {});
    },
  };
}
