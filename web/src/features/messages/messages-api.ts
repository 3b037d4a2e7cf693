import {
  AdminMessage,
  AdminMessagePage,
  type MessageBody,
  type MessageEditBody,
  MessagePreview,
  MessageRecipientPage,
} from "@turnpike/contract/api/message";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";
import { dayEndSeconds, dayStartSeconds } from "../../lib/text/day-bounds.ts";
import { queryClient } from "../../lib/api/query-client.ts";

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly keyword?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** Reads one page of sent messages, newest first; days are in the user's time zone. */
export const readMessages = (list: ListQuery, signal?: AbortSignal) =>
  api.get("/api/admin/messages/search", {
    query: {
      p: list.page,
      page_size: list.pageSize,
      keyword: list.keyword,
      start_date: dayStartSeconds(list.from),
      end_date: dayEndSeconds(list.to),
    },
    schema: AdminMessagePage,
    ...(signal ? { signal } : {}),
  });

export const messagesQuery = (list: ListQuery) =>
  queryOptions({
    queryKey: ["messages", "list", list],
    queryFn: ({ signal }) => readMessages(list, signal),
    placeholderData: keepPreviousData,
  });

export const adminMessageQuery = (id: number) =>
  queryOptions({
    queryKey: ["messages", "one", id],
    queryFn: ({ signal }) => api.get(`/api/admin/messages/${id}`, { schema: AdminMessage, signal }),
  });

export type ReadFilter = "read" | "unread" | undefined;
type RecipientQuery = {
  readonly id: number;
  readonly page: number;
  readonly pageSize: number;
  readonly read: ReadFilter;
};

/** The recipients of a message, and who has read it. */
export const recipientsQuery = ({ id, page, pageSize, read }: RecipientQuery) =>
  queryOptions({
    queryKey: ["messages", "recipients", id, page, pageSize, read ?? ""],
    queryFn: ({ signal }) =>
      api.get(`/api/admin/messages/${id}/recipients`, {
        query: { paged: true, p: page, page_size: pageSize, read },
        schema: MessageRecipientPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The preview of a text as readers will see it. */
export const previewQuery = (content: string, format: string) =>
  queryOptions({
    queryKey: ["messages", "preview", format, content],
    queryFn: async () =>
      (await api.post("/api/admin/messages/preview", { body: { content, format }, schema: MessagePreview })).html,
    staleTime: Infinity,
    gcTime: 60_000,
  });

/** Refetches everything that shows messages, including the user's own inbox. */
export async function refreshMessages(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["messages"] }),
    queryClient.invalidateQueries({ queryKey: ["inbox"] }),
  ]);
}

const SEND_TIMEOUT_MS = 60_000;

export const sendMessage = (body: MessageBody) =>
  api.post("/api/admin/messages/", { body, timeoutMs: SEND_TIMEOUT_MS });
export const updateMessage = (id: number, body: MessageEditBody) => api.put(`/api/admin/messages/${id}`, { body });
export const deleteMessage = (id: number) => api.delete(`/api/admin/messages/${id}`);
