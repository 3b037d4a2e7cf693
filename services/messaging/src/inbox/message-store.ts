import { AppError } from "@turnpike/shared/errors/app-error";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import { toSubstringPattern, QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import { readSearchPage, SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { Connection, QueryFilter } from "mongoose";
import type { MessageDoc, MessageModel, ReceiptDoc, ReceiptModel } from "./message-model.ts";

export type Range = { readonly skip: number; readonly limit: number };
/** Text that title or content contains, and the range of creation times; empty and 0 are open. */
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

type Models = { readonly mongo: Connection; readonly messages: MessageModel; readonly receipts: ReceiptModel };

/** A message by its id; throws message_not_found. */
async function findMessage(messages: MessageModel, id: number): Promise<MessageDoc> {
  const doc = await messages.findById(id).maxTimeMS(QUERY_TIMEOUT_MS).lean<MessageDoc | null>();
  if (!doc) throw notFound(id);
  return doc;
}

/** Messages as administrators see them: with how many users have read each, and who. */
function createMessageQueries({ messages, receipts }: Models) {
  const readCounts = async (messageIds: readonly number[]): Promise<Map<number, number>> => {
    const counts = await receipts
      .aggregate<{ _id: number; count: number }>([
        { $match: { messageId: { $in: messageIds }, readAtSeconds: { $gt: 0 } } },
        { $group: { _id: "$messageId", count: { $sum: 1 } } },
      ])
      .option({ maxTimeMS: QUERY_TIMEOUT_MS });
    return new Map(counts.map(({ _id, count }) => [_id, count]));
  };
  return {
    /** One page of all messages, newest first, with the number of readers of each. */
    async list(filter: MessageFilter, range: Range): Promise<{ items: CountedMessage[]; total: number }> {
      const query = toQuery(filter);
      const { items: docs, total } = await readSearchPage(
        {
          items: () =>
            messages
              .find(query)
              .sort({ _id: -1 })
              .skip(range.skip)
              .limit(range.limit)
              .maxTimeMS(SEARCH_TIMEOUT_MS)
              .lean<MessageDoc[]>()
              .exec(),
          count: () => messages.countDocuments(query).maxTimeMS(SEARCH_TIMEOUT_MS).exec(),
        },
        range,
      );
      const reads = await readCounts(docs.map(({ _id }) => _id));
      return { items: docs.map((doc) => ({ ...doc, readCount: reads.get(doc._id) ?? 0 })), total };
    },
    /** One message with the number of readers; throws message_not_found. */
    async get(id: number): Promise<CountedMessage> {
      const doc = await findMessage(messages, id);
      return { ...doc, readCount: (await readCounts([id])).get(id) ?? 0 };
    },
    /** One page of a message's copies by user id; throws message_not_found. */
    async recipients({ messageId, read }: RecipientFilter, { skip, limit }: Range) {
      await findMessage(messages, messageId);
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
  };
}

function createMessageWrites({ mongo, messages, receipts }: Models) {
  return {
    /** Stores a message and a copy for each recipient, all or none. */
    insert: (message: MessageDoc, userIds: readonly number[]): Promise<void> =>
      inTransaction(mongo, async (session) => {
        await messages.create([message], { session });
        const copies = userIds.map((userId) => ({ userId, messageId: message._id, readAtSeconds: 0 }));
        await receipts.insertMany(copies, { session, lean: true });
      }),
    /** Changes a message and returns its previous state; throws message_not_found. */
    async update(id: number, change: MessageChange): Promise<MessageDoc> {
      const before = await messages
        .findOneAndUpdate({ _id: id }, { $set: change }, { returnDocument: "before" })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<MessageDoc | null>();
      if (!before) throw notFound(id);
      return before;
    },
    /** Deletes a message and all its copies; throws message_not_found. */
    remove: (id: number): Promise<MessageDoc> =>
      inTransaction(mongo, async (session) => {
        const removed = await messages
          .findOneAndDelete({ _id: id }, { session })
          .maxTimeMS(QUERY_TIMEOUT_MS)
          .lean<MessageDoc | null>();
        if (!removed) throw notFound(id);
        await receipts.deleteMany({ messageId: id }, { session });
        return removed;
      }),
  };
}

/** The messages that a user has received. */
function createInbox({ messages, receipts }: Models) {
  return {
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
      // A message deleted between the two reads is left out.
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
      return { message: await findMessage(messages, messageId), readAtSeconds: copy.readAtSeconds };
    },
    /** Stores the time of the first reading; throws message_not_found when the user has no such message. */
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

/** The only file that accesses stored messages. */
export const createMessageStore = (models: Models) => ({
  ...createMessageQueries(models),
  ...createMessageWrites(models),
  ...createInbox(models),
});
