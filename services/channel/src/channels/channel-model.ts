import { defineRevisionModel } from "@turnpike/shared/mongo/revision";
import { type Connection, type Model, Schema } from "mongoose";

/** One key of a channel, encrypted. */
export type ChannelKey = {
  /** Encrypted with the master key. */
  box: string;
  /** HMAC of the key: finds a channel by its full key, distinguishes keys, and identifies a key in relays' reports. */
  lookupHash: string;
  /** The last characters, for display. */
  hint: string;
  /** "" while the key is enabled. */
  disabledReason: string;
  /** 0 while the key is enabled. */
  disabledAtSeconds: number;
};

/** The key with which a provider reports an organization's usage, encrypted; the fields are those of other keys. */
export type ReportKey = Pick<ChannelKey, "box" | "lookupHash" | "hint">;

/** A channel as stored. */
export type ChannelDoc = {
  _id: number;
  name: string;
  type: number;
  keys: ChannelKey[];
  /** The key of the account's usage reports; missing or null without one. */
  reportKey?: ReportKey | null;
  openaiOrganization: string;
  maxInputTokens: number;
  baseUrl: string;
  other: string;
  /** JSON as the admin wrote it, or "". The other JSON fields are the same. */
  modelMapping: string;
  statusCodeMapping: string;
  setting: string;
  paramOverride: string;
  /** What its upstream charges, as JSON; "", or missing on channels older than this field, for the catalogue's prices. */
  cost?: string;
  models: string[];
  groups: string[];
  autoBan: boolean;
  testModel: string;
  priority: number;
  weight: number;
  tag: string;
  modelPrefix: string;
  status: number;
  /** Why and when the system disabled the channel; "" and 0 otherwise. */
  statusReason: string;
  statusAtSeconds: number;
  responseTimeMs: number;
  testedAtSeconds: number;
  /** Why the last test failed; "" if it succeeded, missing before the first. */
  testError?: string;
  /** The account's balance, in the provider's currency, and when it was read; missing before the first read. */
  balance?: number;
  balanceAtSeconds?: number;
  createdAtSeconds: number;
};

const settings = { strict: "throw", autoIndex: false, versionKey: false } as const;
const text = { type: String, default: "" } as const;
const count = { type: Number, default: 0 } as const;

const keySchema = new Schema<ChannelKey>(
  {
    box: { type: String, required: true },
    lookupHash: { type: String, required: true },
    hint: text,
    disabledReason: text,
    disabledAtSeconds: count,
  },
  { _id: false, strict: "throw" },
);

const reportKeySchema = new Schema<ReportKey>(
  { box: { type: String, required: true }, lookupHash: { type: String, required: true }, hint: text },
  { _id: false, strict: "throw" },
);

const channelSchema = new Schema<ChannelDoc>(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    type: { type: Number, required: true },
    keys: { type: [keySchema], required: true },
    reportKey: reportKeySchema,
    openaiOrganization: text,
    maxInputTokens: count,
    baseUrl: text,
    other: text,
    modelMapping: text,
    statusCodeMapping: text,
    setting: text,
    paramOverride: text,
    cost: text,
    models: { type: [String], required: true },
    groups: { type: [String], required: true },
    autoBan: { type: Boolean, required: true },
    testModel: text,
    priority: count,
    weight: count,
    tag: text,
    modelPrefix: text,
    status: { type: Number, required: true },
    statusReason: text,
    statusAtSeconds: count,
    responseTimeMs: count,
    testedAtSeconds: count,
    testError: String,
    balance: Number,
    balanceAtSeconds: Number,
    createdAtSeconds: { type: Number, required: true },
  },
  { collection: "channels", ...settings },
);
channelSchema.index({ priority: -1, _id: -1 }, { name: "list_by_priority" });
channelSchema.index({ groups: 1, priority: -1, _id: -1 }, { name: "list_of_group_by_priority" });
channelSchema.index({ tag: 1, priority: -1, _id: -1 }, { name: "list_of_tag" });
channelSchema.index({ status: 1 }, { name: "routing_snapshot" });
channelSchema.index(
  { "reportKey.lookupHash": 1 },
  { name: "list_of_report_key", partialFilterExpression: { "reportKey.lookupHash": { $exists: true } } },
);
channelSchema.index({ "keys.lookupHash": 1 }, { name: "find_by_key" });

export type ChannelModel = Model<ChannelDoc>;

/** The collection of channels. */
export const channelModel = (mongo: Connection): ChannelModel => mongo.model<ChannelDoc>("Channel", channelSchema);

/** The collection with the revision of the routing table. */
export const routingRevisionModel = defineRevisionModel("RoutingRevision", "routing_revisions");
