import { type Connection, type Model, Schema } from "mongoose";

/** One check-in. The id is made of user and day, so that there is one a day however many ask at once. */
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

/** The collection of check-ins; only ever read by id. */
export const checkInModel = (mongo: Connection): CheckInModel => mongo.model<CheckInDoc>("CheckIn", schema);
