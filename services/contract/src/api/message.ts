import { z } from "zod";
import { pageOf, queryText, wholeNumber } from "./common.ts";

/** A message as its reader sees it. Times are unix seconds; `read_at` is null while it is unread. */
export const InboxMessage = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  /** markdown or html. */
  format: z.string(),
  created_at: z.int(),
  is_read: z.boolean(),
  read_at: z.int().nullable(),
});
export type InboxMessage = z.infer<typeof InboxMessage>;

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
  created_at: z.int(),
  created_by: z.int(),
  stats: z.object({
    total_recipients: z.int(),
    read_count: z.int(),
    unread_count: z.int(),
    read_rate: z.number(),
  }),
});
export type AdminMessage = z.infer<typeof AdminMessage>;

/** Data of `GET /api/admin/messages/`; pages count from 1. */
export const AdminMessagePage = pageOf(AdminMessage);

/** Query of `GET /api/admin/messages/`, beside `p` and `page_size`. */
export const MessageFilter = z.object({ keyword: queryText });

/** Body of `POST /api/admin/messages/`. */
export const MessageBody = z.object({
  title: z.string().trim().default(""),
  content: z.string().trim().default(""),
  format: z.enum(["markdown", "html"]).default("markdown"),
  user_ids: z.array(wholeNumber).max(10_000).default([]),
});
export type MessageBody = z.input<typeof MessageBody>;
