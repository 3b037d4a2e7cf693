import { type Connection, type Model, Schema } from "mongoose";

/**
 * A credit that billing has not confirmed yet: written in the transaction that earned it, removed when billing
 * confirms.
 */
export type CreditDoc = {
  /** The ledger's natural id: a duplicate changes nothing in billing. */
  _id: string;
  userId: number;
  kind: string;
  amount: number;
  reason: string;
  attempts: number;
  nextAttemptAtMs: number;
};

const schema = new Schema<CreditDoc>(
  {
    _id: { type: String, required: true },
    userId: { type: Number, required: true },
    kind: { type: String, required: true },
    amount: { type: Number, required: true },
    reason: { type: String, required: true },
    attempts: { type: Number, required: true },
    nextAttemptAtMs: { type: Number, required: true },
  },
  { collection: "credit_outbox", strict: "throw", autoIndex: false, versionKey: false },
);
schema.index({ nextAttemptAtMs: 1 }, { name: "find_due" });

export type CreditModel = Model<CreditDoc>;

/** The outbox of credits; keyed by their reference. */
export const creditModel = (mongo: Connection): CreditModel => mongo.model<CreditDoc>("Credit", schema);
