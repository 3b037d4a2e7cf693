import { type Connection, type Model, Schema } from "mongoose";

/** A user's passkey; only the public key is stored. */
export type PasskeyDoc = {
  /** The credential's id, base64url. */
  _id: string;
  userId: number;
  name: string;
  /** COSE key, base64url. */
  publicKey: string;
  /** The authenticator's signature counter; many always report 0. */
  counter: number;
  transports: string[];
  backedUp: boolean;
  createdAtSeconds: number;
  /** 0 before first use. */
  lastUsedAtSeconds: number;
};

const schema = new Schema<PasskeyDoc>(
  {
    _id: { type: String, required: true },
    userId: { type: Number, required: true },
    name: { type: String, required: true },
    publicKey: { type: String, required: true },
    counter: { type: Number, required: true },
    transports: { type: [String], default: [] },
    backedUp: { type: Boolean, required: true },
    createdAtSeconds: { type: Number, required: true },
    lastUsedAtSeconds: { type: Number, default: 0 },
  },
  { collection: "passkeys", strict: "throw", autoIndex: false, versionKey: false },
);
schema.index({ userId: 1, createdAtSeconds: 1 }, { name: "list_of_user" });

export type PasskeyModel = Model<PasskeyDoc>;

/** The collection of passkeys. */
export const passkeyModel = (mongo: Connection): PasskeyModel => mongo.model<PasskeyDoc>("Passkey", schema);
