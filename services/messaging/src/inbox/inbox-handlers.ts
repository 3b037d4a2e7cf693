import type { InboxItem, InboxServiceServer, Message } from "@turnpike/proto/messaging/v1/inbox_service";
import { requireAdmin, requireSelf } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { toPageRange } from "@turnpike/shared/mongo/query";
import type { InboxService } from "./inbox-service.ts";
import { previewMessage, RECIPIENTS_MAX } from "./message-form.ts";
import { toPreview, renderMessage } from "./message-html.ts";
import type { CountedMessage, InboxRow } from "./message-store.ts";

/** Rows of an earlier version lack newer fields. */
const toMessage = ({ _id, ...message }: CountedMessage): Message => ({
  ...message,
  id: _id,
  updatedAtSeconds: message.updatedAtSeconds ?? message.createdAtSeconds,
  preview: message.preview ?? toPreview(renderMessage(message.content, message.format)),
  contentHtml: "",
});
/** Rendered on each read, so that sanitiser fixes apply to old messages too. */
const toShownMessage = (message: CountedMessage): Message => ({
  ...toMessage(message),
  contentHtml: renderMessage(message.content, message.format),
});
/** A message's other recipients and its sender are hidden from its readers. */
const toItem = (row: InboxRow, toText: typeof toMessage): InboxItem => ({
  message: toText({ ...row.message, createdBy: 0, totalRecipients: 0, readCount: 0 }),
  readAtSeconds: row.readAtSeconds,
});

const adminHandlers = (inbox: InboxService) =>
  ({
    async createMessage(request, context) {
      return { message: toMessage(await inbox.send(requireAdmin(context), request, context.requestId)) };
    },
    async listMessages({ keyword, startSeconds, endSeconds, ...page }, context) {
      requireAdmin(context);
      const filter = { keyword: keyword.trim(), startSeconds, endSeconds };
      const { items, total } = await inbox.list(filter, toPageRange(page, 1));
      return { items: items.map(toMessage), total };
    },
    async getMessage({ id }, context) {
      requireAdmin(context);
      return { message: toShownMessage(await inbox.get(id)) };
    },
    async updateMessage(request, context) {
      return { message: toMessage(await inbox.edit(requireAdmin(context), request)) };
    },
    async listRecipients({ messageId, read, page, pageSize }, context) {
      requireAdmin(context);
      const range = pageSize === 0 ? { skip: 0, limit: RECIPIENTS_MAX } : toPageRange({ page, pageSize }, 1);
      return inbox.recipients({ messageId, read }, range, context.requestId);
    },
    previewMessage(request, context) {
      requireAdmin(context);
      return Promise.resolve({ html: previewMessage(request) });
    },
    async deleteMessage({ id }, context) {
      await inbox.remove(requireAdmin(context), id);
      return {};
    },
  }) satisfies Partial<Handlers<InboxServiceServer>>;

/** RPCs over messages: administrators send them, users read their own inbox. */
export const inboxHandlers = (inbox: InboxService): Handlers<InboxServiceServer> => ({
  ...adminHandlers(inbox),
  async listInbox(request, context) {
    requireSelf(context, request.userId);
    const { items, total } = await inbox.inbox(request.userId, toPageRange(request, 1));
    return { items: items.map((row) => toItem(row, toMessage)), total };
  },
  async getInboxMessage({ userId, messageId }, context) {
    requireSelf(context, userId);
    return { item: toItem(await inbox.inboxMessage(userId, messageId), toShownMessage) };
  },
  async markRead({ userId, messageId }, context) {
    requireSelf(context, userId);
    await inbox.markRead(userId, messageId);
    return {};
  },
  async countUnread({ userId }, context) {
    requireSelf(context, userId);
    return { unreadCount: await inbox.countUnread(userId) };
  },
});
