import { type Connection, type Model, Schema } from "mongoose";

/** One figure that an admin changed. */
export type PriceChangeDoc = {
  _id: number;
  createdAtSeconds: number;
  actorId: number;
  actorName: string;
  key: string;
  /** The model or group, "" for neither. */
  name: string;
  before?: string | undefined;
  after?: string | undefined;
};

const schema = new Schema<PriceChangeDoc>(
  {
    _id: { type: Number, required: true },
    createdAtSeconds: { type: Number, required: true },
    actorId: { type: Number, required: true },
    actorName: { type: String, default: "" },
    key: { type: String, required: true },
    name: { type: String, default: "" },
    before: String,
    after: String,
  },
  { collection: "price_changes", strict: "throw", autoIndex: false, versionKey: false },
);

schema.index({ createdAtSeconds: -1, _id: -1 }, { name: "list_all" });
schema.index({ key: 1, createdAtSeconds: -1, _id: -1 }, { name: "list_by_key" });

export type PriceChangeModel = Model<PriceChangeDoc>;

/** The collection of price changes. */
export const priceChangeModel = (mongo: Connection): PriceChangeModel =>
  mongo.model<PriceChangeDoc>("PriceChange", schema);
