import type { AdminMessage, InboxMessage } from "@turnpike/contract/api/message";
import type { InboxItem, Message } from "@turnpike/proto/messaging/v1/inbox_service";
import { present } from "./present.ts";

/** A message as its reader sees it. */
export function toInboxMessage(item: InboxItem): InboxMessage {
  const message = present(item.message, "message");
  return {
    id: message.id,
    title: message.title,
    content: message.content,
    format: message.format,
    created_at: message.createdAtSeconds,
    is_read: item.readAtSeconds > 0,
    read_at: item.readAtSeconds > 0 ? item.readAtSeconds : null,
  };
}

/** A message as an admin sees it, with how many have read it. */
export function toAdminMessage(stored: Message | undefined): AdminMessage {
  const message = present(stored, "message");
  const { totalRecipients, readCount } = message;
  return {
    id: message.id,
    title: message.title,
    content: message.content,
    format: message.format,
    created_at: message.createdAtSeconds,
    created_by: message.createdBy,
    stats: {
      total_recipients: totalRecipients,
      read_count: readCount,
      unread_count: totalRecipients - readCount,
      read_rate: totalRecipients === 0 ? 0 : Math.round((readCount / totalRecipients) * 1000) / 10,
    },
  };
}
