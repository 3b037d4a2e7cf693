import { type Connection, type Model, Schema } from "mongoose";

/** An account that billing has not confirmed yet: written in the user's transaction, removed when billing confirms. */
export type OpeningDoc = {
  _id: number;
  credit: number;
  reason: string;
  /** Name of the user's first token; absent for none. */
  firstToken?: string;
  attempts: number;
  nextAttemptAtMs: number;
};

const schema = new Schema<OpeningDoc>(
  {
    _id: { type: Number, required: true },
    credit: { type: Number, required: true },
    reason: { type: String, required: true },
    firstToken: { type: String },
    attempts: { type: Number, required: true },
    nextAttemptAtMs: { type: Number, required: true },
  },
  { collection: "account_openings", strict: "throw", autoIndex: false, versionKey: false },
);
schema.index({ nextAttemptAtMs: 1 }, { name: "find_due" });

export type OpeningModel = Model<OpeningDoc>;

/** The outbox of accounts to open; keyed by user id. */
export const openingModel = (mongo: Connection): OpeningModel => mongo.model<OpeningDoc>("AccountOpening", schema);
