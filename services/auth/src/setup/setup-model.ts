import { type Connection, type Model, Schema } from "mongoose";

/** The single document that exists once the first-run setup is done; its fixed id ensures that setup runs once. */
export type SetupDoc = { _id: string; doneAtSeconds: number };

const schema = new Schema<SetupDoc>(
  { _id: { type: String, required: true }, doneAtSeconds: { type: Number, required: true } },
  { collection: "setup", strict: "throw", autoIndex: false, versionKey: false },
);

export type SetupModel = Model<SetupDoc>;

/** The collection with the single setup document. */
export const setupModel = (mongo: Connection): SetupModel => mongo.model<SetupDoc>("Setup", schema);
