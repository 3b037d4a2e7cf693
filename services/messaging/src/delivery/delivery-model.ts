import { type Connection, type Model, Schema } from "mongoose";

export const DELIVERY_KINDS = ["mail", "webhook"] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** One outbound delivery: queued until it is sent, or dead when it cannot be. */
export type DeliveryDoc = {
  _id: string;
  kind: DeliveryKind;
  /** Repeats with the same key are one delivery; absent: never a repeat. */
  key?: string;
  status: "queued" | "sent" | "dead";
  /** The content, encrypted: it may contain codes and links. Removed once sent. */
  box?: string;
  attempts: number;
  /** When it may be tried next; while one replica tries it, until when the others leave it alone. */
  dueAt: Date;
  /** The attempt that holds it. */
  leaseId: string;
  /** After this it is of no use to its reader any more. */
  deadlineAt: Date;
  lastError: string;
  createdAt: Date;
  /** When the row goes; set once it is sent or dead. */
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
    leaseId: { type: String, default: "" },
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
