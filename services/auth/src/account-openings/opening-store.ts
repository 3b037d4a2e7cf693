import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { ClientSession } from "mongoose";
import type { OpeningDoc, OpeningModel } from "./opening-model.ts";

export type Opening = {
  readonly userId: number;
  readonly credit: number;
  readonly reason: string;
  /** Name of the user's first token; empty for none. */
  readonly firstToken?: string;
};
export type ClaimedOpening = Opening & { readonly attempts: number };
export type OpeningStore = ReturnType<typeof createOpeningStore>;

const toClaimed = (doc: OpeningDoc): ClaimedOpening => ({
  userId: doc._id,
  credit: doc.credit,
  reason: doc.reason,
  firstToken: doc.firstToken ?? "",
  attempts: doc.attempts,
});

/** The only file that accesses the stored outbox of accounts. */
export function createOpeningStore(deps: { model: OpeningModel; nowMs: () => number }) {
  const { model, nowMs } = deps;
  return {
    async add({ userId, credit, reason, firstToken = "" }: Opening, session: ClientSession): Promise<void> {
      await model.create([{ _id: userId, credit, reason, firstToken, attempts: 0, nextAttemptAtMs: nowMs() }], {
        session,
      });
    },
    /** Claims a due row (or the named one, due or not) for the duration of the lease; undefined when there is none. */
    async claim(leaseMs: number, userId?: number): Promise<ClaimedOpening | undefined> {
      const which = userId === undefined ? { nextAttemptAtMs: { $lte: nowMs() } } : { _id: userId };
      const doc = await model
        .findOneAndUpdate(
          which,
          { $set: { nextAttemptAtMs: nowMs() + leaseMs }, $inc: { attempts: 1 } },
          { sort: { nextAttemptAtMs: 1 }, returnDocument: "after" },
        )
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<OpeningDoc | null>();
      return doc ? toClaimed(doc) : undefined;
    },
    async postpone(userId: number, delayMs: number): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { nextAttemptAtMs: nowMs() + delayMs } });
    },
    async remove(userId: number): Promise<void> {
      await model.deleteOne({ _id: userId });
    },
  };
}
