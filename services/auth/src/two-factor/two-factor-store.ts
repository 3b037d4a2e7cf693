import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { ClientSession } from "mongoose";
import type { TwoFactorDoc, TwoFactorModel } from "./two-factor-model.ts";

export type TwoFactorStore = ReturnType<typeof createTwoFactorStore>;

/** The only file that knows where second factors live. */
export function createTwoFactorStore(model: TwoFactorModel) {
  const changed = async (result: Promise<{ modifiedCount: number }>): Promise<boolean> =>
    (await result).modifiedCount === 1;
  return {
    async find(userId: number): Promise<TwoFactorDoc | undefined> {
      return (await model.findById(userId).maxTimeMS(QUERY_TIMEOUT_MS).lean<TwoFactorDoc | null>()) ?? undefined;
    },
    /** Keeps a secret that is shown; false when the factor is on. */
    async offer(userId: number, newSecretBox: string): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { newSecretBox } }, { upsert: true });
    },
    /** Puts the shown secret in force; false when it is on already or another one was shown meanwhile. */
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
    /** Uses a recovery code up; false when there is no such one left. */
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
