import { type Connection, type Model, Schema } from "mongoose";

/** One stored option; options that are not stored have their default. A secret option holds an encrypted value. */
export type OptionDoc = { _id: string; value: string };
/** The option revision; written in the transaction of each change, so that changes are serialized. */
export type OptionRevisionDoc = { _id: string; revision: number };

const settings = { strict: "throw", autoIndex: false, versionKey: false } as const;
const optionSchema = new Schema<OptionDoc>(
  { _id: { type: String, required: true }, value: { type: String, default: "" } },
  { collection: "options", ...settings },
);
const revisionSchema = new Schema<OptionRevisionDoc>(
  { _id: { type: String, required: true }, revision: { type: Number, required: true } },
  { collection: "option_revisions", ...settings },
);

export type OptionModel = Model<OptionDoc>;
export type OptionRevisionModel = Model<OptionRevisionDoc>;

/** The collection of stored options; read by key or in full, so _id is its only index. */
export const optionModel = (mongo: Connection): OptionModel => mongo.model<OptionDoc>("Option", optionSchema);

/** The collection with the single revision document. */
export const optionRevisionModel = (mongo: Connection): OptionRevisionModel =>
  mongo.model<OptionRevisionDoc>("OptionRevision", revisionSchema);
