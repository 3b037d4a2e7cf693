import { type Connection, type Model, Schema } from "mongoose";

/** The single report of the declared configuration, encrypted: it contains fingerprints of secrets. */
export type DeclaredDoc = { _id: string; reportBox: string };

const schema = new Schema<DeclaredDoc>(
  { _id: { type: String, required: true }, reportBox: { type: String, required: true } },
  { collection: "declared", strict: "throw", autoIndex: false, versionKey: false },
);

export type DeclaredModel = Model<DeclaredDoc>;

/** The collection with the single report; read by key, so _id is its only index. */
export const declaredModel = (mongo: Connection): DeclaredModel => mongo.model<DeclaredDoc>("Declared", schema);
