import type { InboxServiceServer, Message } from "@turnpike/proto/messaging/v1/inbox_service";
import { requireAdmin, requireSelf } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { toPageRange } from "@turnpike/shared/mongo/query";
import type { InboxService } from "./inbox-service.ts";
import type { CountedMessage } from "./message-store.ts";

const toMessage = ({ _id, ...message }: CountedMessage): Message => ({ id: _id, ...message });

/** The rpcs over messages: sending is for admins, an inbox for its owner. */
export const inboxHandlers = (inbox: InboxService): Handlers<InboxServiceServer> => ({
  async createMessage(request, context) {
    return { message: toMessage(await inbox.send(requireAdmin(context), request, context.requestId)) };
  },
  async listMessages(request, context) {
    requireAdmin(context);
    const { items, total } = await inbox.list(request.keyword.trim(), toPageRange(request, 1));
    return { items: items.map(toMessage), total };
  },
  async deleteMessage({ id }, context) {
    await inbox.remove(requireAdmin(context), id);
    return {};
  },
  async listInbox(request, context) {
    requireSelf(context, request.userId);
    const { items, total } = await inbox.inbox(request.userId, toPageRange(request, 1));
    return {
      // Who else got a message, and who sent it, is not for its readers.
      items: items.map(({ message, readAtSeconds }) => ({
        message: toMessage({ ...message, createdBy: 0, totalRecipients: 0, readCount: 0 }),
        readAtSeconds,
      })),
      total,
    };
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
