import type {
  AdminMessage,
  AdminMessageDetail,
  InboxMessage,
  InboxMessageDetail,
  MessageRecipient,
} from "@turnpike/contract/api/message";
import type { InboxItem, Message, Recipient } from "@turnpike/proto/messaging/v1/inbox_service";
import { requireField } from "./required-field.ts";

const toReadAt = (seconds: number): number | null => (seconds > 0 ? seconds : null);

/** A message as its reader sees it. */
export function toInboxMessage(item: InboxItem): InboxMessage {
  const message = requireField(item.message, "message");
  return {
    id: message.id,
    title: message.title,
    content: message.content,
    format: message.format,
    preview: message.preview,
    created_at: message.createdAtSeconds,
    is_read: item.readAtSeconds > 0,
    read_at: toReadAt(item.readAtSeconds),
  };
}

/** A message as an administrator sees it, with the number of readers. */
export function toAdminMessage(stored: Message | undefined): AdminMessage {
  const message = requireField(stored, "message");
  const { totalRecipients, readCount } = message;
  return {
    id: message.id,
    title: message.title,
    content: message.content,
    format: message.format,
    preview: message.preview,
    created_at: message.createdAtSeconds,
    updated_at: message.updatedAtSeconds,
    created_by: message.createdBy,
    stats: {
      total_recipients: totalRecipients,
      read_count: readCount,
      unread_count: totalRecipients - readCount,
      read_rate: totalRecipients === 0 ? 0 : Math.round((readCount / totalRecipients) * 1000) / 10,
    },
  };
}

/** One message with rendered HTML, for its reader. */
export const toInboxDetail = (item: InboxItem | undefined): InboxMessageDetail => {
  const known = requireField(item, "message");
  return { ...toInboxMessage(known), content_html: known.message?.contentHtml ?? "" };
};

/** One message with rendered HTML, for administrators. */
export const toAdminDetail = (message: Message | undefined): AdminMessageDetail => ({
  ...toAdminMessage(message),
  content_html: message?.contentHtml ?? "",
});

/** One recipient of a message. */
export const toRecipient = (recipient: Recipient): MessageRecipient => ({
  user_id: recipient.userId,
  username: recipient.username,
  display_name: recipient.displayName,
  read_at: toReadAt(recipient.readAtSeconds),
});
