import { type Connection, type Model, Schema } from "mongoose";

/** A message as stored. */
export type MessageDoc = {
  _id: number;
  title: string;
  content: string;
  format: string;
  /** Plain text. Messages of an earlier version lack it and the time of the last change. */
  preview?: string;
  createdAtSeconds: number;
  updatedAtSeconds?: number;
  createdBy: number;
  totalRecipients: number;
};

/** One user's copy of a message; `readAtSeconds` is 0 while it is unread. */
export type ReceiptDoc = { userId: number; messageId: number; readAtSeconds: number };

const settings = { strict: "throw", autoIndex: false, versionKey: false } as const;

const messageSchema = new Schema<MessageDoc>(
  {
    _id: { type: Number, required: true },
    title: { type: String, required: true },
    content: { type: String, required: true },
    format: { type: String, required: true },
    preview: String,
    createdAtSeconds: { type: Number, required: true },
    updatedAtSeconds: Number,
    createdBy: { type: Number, required: true },
    totalRecipients: { type: Number, required: true },
  },
  { collection: "messages", ...settings },
);

const receiptSchema = new Schema<ReceiptDoc>(
  {
    userId: { type: Number, required: true },
    messageId: { type: Number, required: true },
    readAtSeconds: { type: Number, required: true },
  },
  { collection: "message_receipts", ...settings },
);
receiptSchema.index({ userId: 1, messageId: -1 }, { unique: true, name: "inbox_newest_first" });
receiptSchema.index({ userId: 1, readAtSeconds: 1 }, { name: "count_unread" });
receiptSchema.index({ messageId: 1, readAtSeconds: 1 }, { name: "count_reads_of_message" });

export type MessageModel = Model<MessageDoc>;
export type ReceiptModel = Model<ReceiptDoc>;

/** The collection of messages; listed by _id. */
export const messageModel = (mongo: Connection): MessageModel => mongo.model<MessageDoc>("Message", messageSchema);

/** The collection of users' copies. */
export const receiptModel = (mongo: Connection): ReceiptModel => mongo.model<ReceiptDoc>("Receipt", receiptSchema);
