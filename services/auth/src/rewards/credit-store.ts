import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { ClientSession } from "mongoose";
import type { CreditDoc, CreditModel } from "./credit-model.ts";

/** One credit to grant. `reference` names its reason, so that it is granted once. */
export type Credit = {
  readonly reference: string;
  readonly userId: number;
  readonly kind: "check-in" | "invitation" | "transfer";
  readonly amount: number;
  readonly reason: string;
};
export type ClaimedCredit = Omit<Credit, "kind"> & { readonly kind: string; readonly attempts: number };
export type CreditStore = ReturnType<typeof createCreditStore>;

const toClaimed = ({ _id, userId, kind, amount, reason, attempts }: CreditDoc): ClaimedCredit => ({
  reference: _id,
  userId,
  kind,
  amount,
  reason,
  attempts,
});

/** The only file that accesses the stored outbox of credits. */
export function createCreditStore(deps: { model: CreditModel; nowMs: () => number }) {
  const { model, nowMs } = deps;
  return {
    /** Stores a credit in the transaction that earned it. */
    async add({ reference, ...credit }: Credit, session: ClientSession): Promise<void> {
      await model.create([{ _id: reference, ...credit, attempts: 0, nextAttemptAtMs: nowMs() }], { session });
    },
    /** Claims a due row (or the named one, due or not) for the duration of the lease; undefined when there is none. */
    async claim(leaseMs: number, reference?: string): Promise<ClaimedCredit | undefined> {
      const which = reference === undefined ? { nextAttemptAtMs: { $lte: nowMs() } } : { _id: reference };
      const doc = await model
        .findOneAndUpdate(
          which,
          { $set: { nextAttemptAtMs: nowMs() + leaseMs }, $inc: { attempts: 1 } },
          { sort: { nextAttemptAtMs: 1 }, returnDocument: "after" },
        )
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<CreditDoc | null>();
      return doc ? toClaimed(doc) : undefined;
    },
    async postpone(reference: string, delayMs: number): Promise<void> {
      await model.updateOne({ _id: reference }, { $set: { nextAttemptAtMs: nowMs() + delayMs } });
    },
    async remove(reference: string): Promise<void> {
      await model.deleteOne({ _id: reference });
    },
  };
}
