import { type Connection, type Model, Schema } from "mongoose";

/** A user's second factor. */
export type TwoFactorDoc = {
  /** The user's id. */
  _id: number;
  /** The authenticator's secret, encrypted; empty before the first setup is finished. */
  secretBox: string;
  /** A secret that was shown and is not active yet, encrypted. */
  newSecretBox: string;
  /** 0 while it is off. */
  enabledAtSeconds: number;
  /** The time step of the last accepted code, so that no code is accepted twice. */
  lastStep: number;
  /** Keyed hashes of the remaining recovery codes. */
  recoveryHashes: string[];
};

const schema = new Schema<TwoFactorDoc>(
  {
    _id: { type: Number, required: true },
    secretBox: { type: String, default: "" },
    newSecretBox: { type: String, default: "" },
    enabledAtSeconds: { type: Number, default: 0 },
    lastStep: { type: Number, default: 0 },
    recoveryHashes: { type: [String], default: [] },
  },
  { collection: "two_factors", strict: "throw", autoIndex: false, versionKey: false },
);

export type TwoFactorModel = Model<TwoFactorDoc>;

/** Second factors; keyed by the user's id. */
export const twoFactorModel = (mongo: Connection): TwoFactorModel => mongo.model<TwoFactorDoc>("TwoFactor", schema);
