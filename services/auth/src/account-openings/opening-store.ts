import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { ClientSession } from "mongoose";
import type { OpeningDoc, OpeningModel } from "./opening-model.ts";

export type Opening = {
  readonly userId: number;
  readonly credit: number;
  readonly reason: string;
  /** Name of a token that the user begins with; empty for none. */
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

/** The only file that knows where the outbox of accounts lives. */
export function createOpeningStore(deps: { model: OpeningModel; nowMs: () => number }) {
  const { model, nowMs } = deps;
  return {
    async add({ userId, credit, reason, firstToken = "" }: Opening, session: ClientSession): Promise<void> {
      await model.create([{ _id: userId, credit, reason, firstToken, attempts: 0, nextAttemptAtMs: nowMs() }], {
        session,
      });
    },
    /** Takes a row that is due (or the named one, due or not) for as long as the lease lasts; undefined when there is none. */
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
