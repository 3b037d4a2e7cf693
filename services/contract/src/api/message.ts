import { z } from "zod/mini";
import { pageSchema, queryFlag, queryText, integer } from "./common.ts";

/** A message as its reader sees it. Times are unix seconds; `read_at` is null while it is unread. */
export const InboxMessage = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  /** markdown or html. */
  format: z.string(),
  /** Plain text, at most 100 characters. */
  preview: z.string(),
  created_at: z.int(),
  is_read: z.boolean(),
  read_at: z.nullable(z.int()),
});
export type InboxMessage = z.infer<typeof InboxMessage>;

/** Data of `GET /api/user/messages/{id}`: with sanitised HTML. */
export const InboxMessageDetail = z.extend(InboxMessage, { content_html: z.string() });
export type InboxMessageDetail = z.infer<typeof InboxMessageDetail>;

/** Data of `GET /api/user/messages/`; pages count from 1. */
export const InboxPage = pageSchema(InboxMessage);

/** Data of `GET /api/user/messages/unread_count`. */
export const UnreadCount = z.object({ unread_count: z.int() });

/** A message as an administrator sees it. `read_rate` is a percentage. */
export const AdminMessage = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  format: z.string(),
  preview: z.string(),
  created_at: z.int(),
  updated_at: z.int(),
  created_by: z.int(),
  stats: z.object({
    total_recipients: z.int(),
    read_count: z.int(),
    unread_count: z.int(),
    read_rate: z.number(),
  }),
});
export type AdminMessage = z.infer<typeof AdminMessage>;

/** Data of `GET /api/admin/messages/{id}`. */
export const AdminMessageDetail = z.extend(AdminMessage, { content_html: z.string() });
export type AdminMessageDetail = z.infer<typeof AdminMessageDetail>;

/** Data of `GET /api/admin/messages/`; pages count from 1. */
export const AdminMessagePage = pageSchema(AdminMessage);

/** Query of `GET /api/admin/messages/`, besides `p` and `page_size`. */
export const MessageFilter = z.object({ keyword: queryText });

/** Query of `GET /api/admin/messages/search`, besides `p` and `page_size`: times as seconds, days or RFC 3339. */
export const MessageSearch = z.extend(MessageFilter, { start_date: queryText, end_date: queryText });

/** One recipient of a message; names are empty for a deleted user. */
export const MessageRecipient = z.object({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  read_at: z.nullable(z.int()),
});
export type MessageRecipient = z.infer<typeof MessageRecipient>;

/** Query of `GET /api/admin/messages/{id}/recipients`, besides `p` and `page_size`. */
export const MessageRecipientPage = pageSchema(MessageRecipient);

/** Query of `GET /api/admin/messages/{id}/recipients`, besides `p` and `page_size`. */
export const RecipientFilter = z.object({ read: z._default(z.enum(["read", "unread", ""]), ""), paged: queryFlag });

const format = z._default(z.string().check(z.trim(), z.maxLength(20)), "markdown");

/** Body of `PUT /api/admin/messages/{id}`. */
export const MessageEditBody = z.object({
  title: z._default(z.string().check(z.trim()), ""),
  content: z._default(z.string().check(z.trim()), ""),
  format,
});
export type MessageEditBody = z.input<typeof MessageEditBody>;

/** Body of `POST /api/admin/messages/`. */
export const MessageBody = z.extend(MessageEditBody, {
  user_ids: z._default(z.array(integer).check(z.maxLength(10_000)), []),
});
export type MessageBody = z.input<typeof MessageBody>;

/** Body of `POST /api/admin/messages/preview`. */
export const MessagePreviewBody = z.object({ content: z._default(z.string(), ""), format });

/** Data of `POST /api/admin/messages/preview`: HTML that is safe to show. */
export const MessagePreview = z.object({ html: z.string() });
