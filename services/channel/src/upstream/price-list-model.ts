import { type Connection, type Model, Schema } from "mongoose";

/** The price list of the reseller above a channel, as it was fetched last. */
export type PriceListDoc = {
  /** The channel's id. */
  _id: number;
  /** 0 before the first one. */
  fetchedAtSeconds: number;
  /** pricing or ratio_config. */
  source: string;
  /** JSON in the shapes of the option PriceRules: names of models may contain dots. */
  prices: string;
  /** JSON: the ratios of the reseller's groups. */
  groups: string;
  /** Why the last attempt failed; "" if it did not. */
  error: string;
  errorAtSeconds: number;
  /** The last attempt: a list that is no longer fetched, since its channel was deleted, expires. */
  triedAt: Date;
};
export type PriceListModel = Model<PriceListDoc>;

const text = { type: String, default: "" } as const;
const count = { type: Number, default: 0 } as const;

const priceListSchema = new Schema<PriceListDoc>(
  {
    _id: { type: Number, required: true },
    fetchedAtSeconds: count,
    source: text,
    prices: { type: String, default: "{}" },
    groups: { type: String, default: "{}" },
    error: text,
    errorAtSeconds: count,
    triedAt: { type: Date, required: true },
  },
  { collection: "channel_price_lists", strict: "throw", autoIndex: false, versionKey: false },
);

const EXPIRES_SECONDS = 30 * 86_400;
priceListSchema.index({ triedAt: 1 }, { name: "expire", expireAfterSeconds: EXPIRES_SECONDS });

/** The collection of fetched price lists. */
export const priceListModel = (mongo: Connection): PriceListModel =>
  mongo.model<PriceListDoc>("ChannelPriceList", priceListSchema);
