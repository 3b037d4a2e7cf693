import { type Connection, type Model, Schema } from "mongoose";

export const DELIVERY_KINDS = ["mail", "webhook"] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** One outbound delivery: queued until it is sent, or dead when it cannot be. */
export type DeliveryDoc = {
  _id: string;
  kind: DeliveryKind;
  /** The deduplication key: deliveries with the same key are one delivery. Absent: no deduplication. */
  key?: string;
  status: "queued" | "sent" | "dead";
  /** The content, encrypted: it may contain codes and links. Removed after sending. */
  box?: string;
  attempts: number;
  /** When the next attempt is due; during an attempt, when its lease ends. */
  dueAt: Date;
  /** When the content becomes useless to its reader. */
  deadlineAt: Date;
  lastError: string;
  createdAt: Date;
  /** When the row is deleted; set once it is sent or dead. */
  expireAt?: Date;
};

const schema = new Schema<DeliveryDoc>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    key: String,
    status: { type: String, required: true },
    box: String,
    attempts: { type: Number, required: true },
    dueAt: { type: Date, required: true },
    deadlineAt: { type: Date, required: true },
    lastError: { type: String, default: "" },
    createdAt: { type: Date, required: true },
    expireAt: Date,
  },
  { collection: "deliveries", strict: "throw", autoIndex: false, versionKey: false },
);
schema.index({ kind: 1, status: 1, dueAt: 1 }, { name: "next_due" });
schema.index({ key: 1 }, { unique: true, name: "once_per_key", partialFilterExpression: { key: { $exists: true } } });
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0, name: "forget_done" });

export type DeliveryModel = Model<DeliveryDoc>;

/** The collection of deliveries. */
export const deliveryModel = (mongo: Connection): DeliveryModel => mongo.model<DeliveryDoc>("Delivery", schema);
