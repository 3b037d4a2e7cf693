import { z } from "zod";
import { pageOf, queryFlag, queryText, wholeNumber } from "./common.ts";

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
  read_at: z.int().nullable(),
});
export type InboxMessage = z.infer<typeof InboxMessage>;

/** Data of `GET /api/user/messages/{id}`: with HTML that is safe to show. */
export const InboxMessageDetail = InboxMessage.extend({ content_html: z.string() });
export type InboxMessageDetail = z.infer<typeof InboxMessageDetail>;

/** Data of `GET /api/user/messages/`; pages count from 1. */
export const InboxPage = pageOf(InboxMessage);

/** Data of `GET /api/user/messages/unread_count`. */
export const UnreadCount = z.object({ unread_count: z.int() });

/** A message as an admin sees it. `read_rate` is a percentage. */
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
export const AdminMessageDetail = AdminMessage.extend({ content_html: z.string() });
export type AdminMessageDetail = z.infer<typeof AdminMessageDetail>;

/** Data of `GET /api/admin/messages/`; pages count from 1. */
export const AdminMessagePage = pageOf(AdminMessage);

/** Query of `GET /api/admin/messages/`, beside `p` and `page_size`. */
export const MessageFilter = z.object({ keyword: queryText });

/** Query of `GET /api/admin/messages/search`, beside `p` and `page_size`: times as seconds, days or RFC 3339. */
export const MessageSearch = MessageFilter.extend({ start_date: queryText, end_date: queryText });

/** One recipient of a message; names are empty for a deleted user. */
export const MessageRecipient = z.object({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  read_at: z.int().nullable(),
});
export type MessageRecipient = z.infer<typeof MessageRecipient>;

/** Query of `GET /api/admin/messages/{id}/recipients`, beside `p` and `page_size`. */
export const RecipientFilter = z.object({ read: z.enum(["read", "unread", ""]).default(""), paged: queryFlag });

const format = z.string().trim().max(20).default("markdown");

/** Body of `PUT /api/admin/messages/{id}`. */
export const MessageEditBody = z.object({
  title: z.string().trim().default(""),
  content: z.string().trim().default(""),
  format,
});
export type MessageEditBody = z.input<typeof MessageEditBody>;

/** Body of `POST /api/admin/messages/`. */
export const MessageBody = MessageEditBody.extend({ user_ids: z.array(wholeNumber).max(10_000).default([]) });
export type MessageBody = z.input<typeof MessageBody>;

/** Body of `POST /api/admin/messages/preview`, whose data is `{html}`. */
export const MessagePreviewBody = z.object({ content: z.string().default(""), format });
