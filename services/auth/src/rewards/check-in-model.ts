import { type Connection, type Model, Schema } from "mongoose";

/** One check-in. The id consists of user and day, so that concurrent requests create only one per day. */
export type CheckInDoc = { _id: string; userId: number; day: string; amount: number; atSeconds: number };

const schema = new Schema<CheckInDoc>(
  {
    _id: { type: String, required: true },
    userId: { type: Number, required: true },
    day: { type: String, required: true },
    amount: { type: Number, required: true },
    atSeconds: { type: Number, required: true },
  },
  { collection: "check_ins", strict: "throw", autoIndex: false, versionKey: false },
);

export type CheckInModel = Model<CheckInDoc>;

/** The collection of check-ins; read by id only. */
export const checkInModel = (mongo: Connection): CheckInModel => mongo.model<CheckInDoc>("CheckIn", schema);
