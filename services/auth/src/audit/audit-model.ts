import { type Connection, type Model, Schema } from "mongoose";

/** One admin action as stored. */
export type AuditDoc = {
  _id: number;
  createdAtSeconds: number;
  actorId: number;
  actorName: string;
  action: string;
  target: string;
  before: string;
  after: string;
  address: string;
  /** Deduplicates rows that other services send; this service's own rows have none. */
  sourceId?: string;
};

const text = { type: String, default: "" } as const;
const schema = new Schema<AuditDoc>(
  {
    _id: { type: Number, required: true },
    createdAtSeconds: { type: Number, required: true },
    actorId: { type: Number, required: true },
    actorName: text,
    action: { type: String, required: true },
    target: text,
    before: text,
    after: text,
    address: text,
    sourceId: String,
  },
  { collection: "audit", strict: "throw", autoIndex: false, versionKey: false },
);

schema.index({ createdAtSeconds: -1, _id: -1 }, { name: "list_time_range" });
schema.index({ actorName: 1, createdAtSeconds: -1, _id: -1 }, { name: "list_of_actor" });
schema.index({ action: 1, createdAtSeconds: -1, _id: -1 }, { name: "list_of_action" });
schema.index({ actorId: 1, createdAtSeconds: -1, _id: -1 }, { name: "list_of_actor_id" });
schema.index(
  { sourceId: 1 },
  { unique: true, name: "keep_once", partialFilterExpression: { sourceId: { $exists: true } } },
);

export type AuditModel = Model<AuditDoc>;

/** The collection of admin actions. */
export const auditModel = (mongo: Connection): AuditModel => mongo.model<AuditDoc>("Audit", schema);
