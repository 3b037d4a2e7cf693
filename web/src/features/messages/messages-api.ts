import type { AdminMessage, MessageBody, MessageEditBody, MessageRecipient } from "@turnpike/contract/api/message";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isPageOf } from "../../lib/api-schemas.ts";
import { api } from "../../lib/api-client.ts";
import { isAnything, isNullable, isNumber, isObjectOf, isText } from "../../lib/check.ts";
import { dayEndSeconds, dayStartSeconds } from "../../lib/day-bounds.ts";
import { queryClient } from "../../lib/query-client.ts";

const isAdminMessage = isObjectOf<AdminMessage>({
  id: isNumber,
  title: isText,
  content: isText,
  format: isText,
  preview: isText,
  created_at: isNumber,
  updated_at: isNumber,
  created_by: isNumber,
  stats: isObjectOf<AdminMessage["stats"]>({
    total_recipients: isNumber,
    read_count: isNumber,
    unread_count: isNumber,
    read_rate: isNumber,
  }),
});
const isMessagePage = isPageOf(isAdminMessage);
const isRecipientPage = isPageOf(
  isObjectOf<MessageRecipient>({
    user_id: isNumber,
    username: isText,
    display_name: isText,
    read_at: isNullable(isNumber),
  }),
);
const isPreview = isObjectOf<{ html: string }>({ html: isText });

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly keyword?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** One page of the messages that admins sent, newest first; the days are the reader's. */
export const messagesQuery = (list: ListQuery) =>
  queryOptions({
    queryKey: ["messages", "list", list],
    queryFn: ({ signal }) =>
      api.get("/api/admin/messages/search", {
        query: {
          p: list.page,
          page_size: list.pageSize,
          keyword: list.keyword,
          start_date: dayStartSeconds(list.from),
          end_date: dayEndSeconds(list.to),
        },
        fits: isMessagePage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const adminMessageQuery = (id: number) =>
  queryOptions({
    queryKey: ["messages", "one", id],
    queryFn: ({ signal }) => api.get(`/api/admin/messages/${id}`, { fits: isAdminMessage, signal }),
  });

export type ReadFilter = "read" | "unread" | undefined;
type RecipientQuery = {
  readonly id: number;
  readonly page: number;
  readonly pageSize: number;
  readonly read: ReadFilter;
};

/** Who got a message, and who has read it. */
export const recipientsQuery = ({ id, page, pageSize, read }: RecipientQuery) =>
  queryOptions({
    queryKey: ["messages", "recipients", id, page, pageSize, read ?? ""],
    queryFn: ({ signal }) =>
      api.get(`/api/admin/messages/${id}/recipients`, {
        query: { paged: true, p: page, page_size: pageSize, read },
        fits: isRecipientPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** What readers will see of a text. */
export const previewQuery = (content: string, format: string) =>
  queryOptions({
    queryKey: ["messages", "preview", format, content],
    queryFn: async () =>
      (await api.post("/api/admin/messages/preview", { body: { content, format }, fits: isPreview })).html,
    staleTime: Infinity,
    gcTime: 60_000,
  });

/** Everything that shows messages is read again, the reader's own inbox too. */
export async function refreshMessages(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["messages"] }),
    queryClient.invalidateQueries({ queryKey: ["inbox"] }),
  ]);
}

const SEND_TIMEOUT_MS = 60_000;

export const sendMessage = (body: MessageBody) =>
  api.post("/api/admin/messages/", { body, fits: isAnything, timeoutMs: SEND_TIMEOUT_MS });
export const updateMessage = (id: number, body: MessageEditBody) =>
  api.put(`/api/admin/messages/${id}`, { body, fits: isAnything });
export const deleteMessage = (id: number) => api.delete(`/api/admin/messages/${id}`, { fits: isAnything });
