import { defineRevisionModel } from "@turnpike/shared/mongo/revision";
import { type Connection, type Model, Schema } from "mongoose";

/** One stored option; options that are not stored have their default. A secret option holds an encrypted value. */
export type OptionDoc = { _id: string; value: string };

const optionSchema = new Schema<OptionDoc>(
  { _id: { type: String, required: true }, value: { type: String, default: "" } },
  { collection: "options", strict: "throw", autoIndex: false, versionKey: false },
);
export type OptionModel = Model<OptionDoc>;

/** The collection of stored options; read by key or in full, so _id is its only index. */
export const optionModel = (mongo: Connection): OptionModel => mongo.model<OptionDoc>("Option", optionSchema);

/** The collection with the option revision. */
export const optionRevisionModel = defineRevisionModel("OptionRevision", "option_revisions");
