import { AppError } from "@turnpike/shared/errors/app-error";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import { toSubstringPattern, QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { Connection, QueryFilter } from "mongoose";
import type { MessageDoc, MessageModel, ReceiptDoc, ReceiptModel } from "./message-model.ts";

export type Range = { readonly skip: number; readonly limit: number };
/** Text that title or content contains, and when the message was made; empty and 0 are open. */
export type MessageFilter = { readonly keyword: string; readonly startSeconds: number; readonly endSeconds: number };
export type RecipientFilter = { readonly messageId: number; readonly read: string };
export type CountedMessage = MessageDoc & { readonly readCount: number };
export type InboxRow = { readonly message: MessageDoc; readonly readAtSeconds: number };
export type MessageStore = ReturnType<typeof createMessageStore>;
type MessageChange = Pick<MessageDoc, "title" | "content" | "format" | "preview" | "updatedAtSeconds">;

const notFound = (id: number): AppError => new AppError("message_not_found", `no message ${id}`);

function toQuery({ keyword, startSeconds, endSeconds }: MessageFilter): QueryFilter<MessageDoc> {
  const pattern = toSubstringPattern(keyword);
  const createdAtSeconds = {
    ...(startSeconds > 0 ? { $gte: startSeconds } : {}),
    ...(endSeconds > 0 ? { $lte: endSeconds } : {}),
  };
  return {
    ...(keyword === "" ? {} : { $or: [{ title: pattern }, { content: pattern }] }),
    ...(Object.keys(createdAtSeconds).length === 0 ? {} : { createdAtSeconds }),
  };
}

const toReadQuery = (read: string) => {
  if (read === "read") return { readAtSeconds: { $gt: 0 } };
  return read === "unread" ? { readAtSeconds: 0 } : {};
};

/** The only file that accesses stored messages. */
export function createMessageStore(deps: { mongo: Connection; messages: MessageModel; receipts: ReceiptModel }) {
  const { mongo, messages, receipts } = deps;

  const readCounts = async (messageIds: readonly number[]): Promise<Map<number, number>> => {
    const counts = await receipts
      .aggregate<{ _id: number; count: number }>([
        { $match: { messageId: { $in: messageIds }, readAtSeconds: { $gt: 0 } } },
        { $group: { _id: "$messageId", count: { $sum: 1 } } },
      ])
      .option({ maxTimeMS: QUERY_TIMEOUT_MS });
    return new Map(counts.map(({ _id, count }) => [_id, count]));
  };
  const findMessage = async (id: number): Promise<MessageDoc> => {
    const doc = await messages.findById(id).maxTimeMS(QUERY_TIMEOUT_MS).lean<MessageDoc | null>();
    if (!doc) throw notFound(id);
    return doc;
  };
  return {
    /** Keeps a message and a copy for each recipient, or nothing. */
    insert: (message: MessageDoc, userIds: readonly number[]): Promise<void> =>
      inTransaction(mongo, async (session) => {
        await messages.create([message], { session });
        const copies = userIds.map((userId) => ({ userId, messageId: message._id, readAtSeconds: 0 }));
        await receipts.insertMany(copies, { session, lean: true });
      }),
    /** One page of all messages, newest first, with how many have read each. */
    async list(filter: MessageFilter, { skip, limit }: Range): Promise<{ items: CountedMessage[]; total: number }> {
      const query = toQuery(filter);
      const [docs, total] = await Promise.all([
        messages.find(query).sort({ _id: -1 }).skip(skip).limit(limit).maxTimeMS(QUERY_TIMEOUT_MS).lean<MessageDoc[]>(),
        messages.countDocuments(query).maxTimeMS(QUERY_TIMEOUT_MS),
      ]);
      const reads = await readCounts(docs.map(({ _id }) => _id));
      return { items: docs.map((doc) => ({ ...doc, readCount: reads.get(doc._id) ?? 0 })), total };
    },
    /** One message with how many have read it; throws message_not_found. */
    async get(id: number): Promise<CountedMessage> {
      const doc = await findMessage(id);
      return { ...doc, readCount: (await readCounts([id])).get(id) ?? 0 };
    },
    /** Changes what a message says and answers it as it was; throws message_not_found. */
    async update(id: number, change: MessageChange): Promise<MessageDoc> {
      const before = await messages
        .findOneAndUpdate({ _id: id }, { $set: change }, { returnDocument: "before" })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<MessageDoc | null>();
      if (!before) throw notFound(id);
      return before;
    },
    /** One page of a message's copies by user id; throws message_not_found. */
    async recipients({ messageId, read }: RecipientFilter, { skip, limit }: Range) {
      await findMessage(messageId);
      const query = { messageId, ...toReadQuery(read) };
      const [items, total] = await Promise.all([
        receipts
          .find(query)
          .sort({ userId: 1 })
          .skip(skip)
          .limit(limit)
          .maxTimeMS(QUERY_TIMEOUT_MS)
          .lean<ReceiptDoc[]>(),
        receipts.countDocuments(query).maxTimeMS(QUERY_TIMEOUT_MS),
      ]);
      return { items, total };
    },
    /** Takes a message and all copies away; throws message_not_found. */
    remove: (id: number): Promise<MessageDoc> =>
      inTransaction(mongo, async (session) => {
        const gone = await messages
          .findOneAndDelete({ _id: id }, { session })
          .maxTimeMS(QUERY_TIMEOUT_MS)
          .lean<MessageDoc | null>();
        if (!gone) throw notFound(id);
        await receipts.deleteMany({ messageId: id }, { session });
        return gone;
      }),
    /** One page of a user's messages, newest first. */
    async inbox(userId: number, { skip, limit }: Range): Promise<{ items: InboxRow[]; total: number }> {
      const [copies, total] = await Promise.all([
        receipts
          .find({ userId })
          .sort({ messageId: -1 })
          .skip(skip)
          .limit(limit)
          .maxTimeMS(QUERY_TIMEOUT_MS)
          .lean<ReceiptDoc[]>(),
        receipts.countDocuments({ userId }).maxTimeMS(QUERY_TIMEOUT_MS),
      ]);
      const docs = await messages
        .find({ _id: { $in: copies.map(({ messageId }) => messageId) } })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<MessageDoc[]>();
      const byId = new Map(docs.map((doc) => [doc._id, doc]));
      // A message deleted between the two reads is simply no longer there.
      const items = copies.flatMap(({ messageId, readAtSeconds }) => {
        const message = byId.get(messageId);
        return message ? [{ message, readAtSeconds }] : [];
      });
      return { items, total };
    },
    /** One of a user's messages; throws message_not_found when it is not theirs. */
    async inboxMessage(userId: number, messageId: number): Promise<InboxRow> {
      const copy = await receipts.findOne({ userId, messageId }).maxTimeMS(QUERY_TIMEOUT_MS).lean<ReceiptDoc | null>();
      if (!copy) throw notFound(messageId);
      return { message: await findMessage(messageId), readAtSeconds: copy.readAtSeconds };
    },
    /** Notes the first reading and keeps it; throws message_not_found when the user has no such message. */
    async markRead(userId: number, messageId: number, atSeconds: number): Promise<void> {
      const { matchedCount } = await receipts
        .updateOne({ userId, messageId, readAtSeconds: 0 }, { $set: { readAtSeconds: atSeconds } })
        .maxTimeMS(QUERY_TIMEOUT_MS);
      if (matchedCount > 0) return;
      const copy = await receipts.exists({ userId, messageId }).maxTimeMS(QUERY_TIMEOUT_MS);
      if (!copy) throw new AppError("message_not_found", `user ${userId} has no message ${messageId}`);
    },
    countUnread: (userId: number): Promise<number> =>
      receipts.countDocuments({ userId, readAtSeconds: 0 }).maxTimeMS(QUERY_TIMEOUT_MS).exec(),
  };
}
