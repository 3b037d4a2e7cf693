import { InboxMessageDetail, InboxPage, UnreadCount } from "@turnpike/contract/api/message";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";
import { queryClient } from "../../lib/api/query-client.ts";

const UNREAD_EVERY_MS = 30_000;

/** The number of unread messages; polled every 30 seconds while the tab is visible. */
export const unreadQuery = queryOptions({
  queryKey: ["inbox", "unread"],
  queryFn: async ({ signal }) =>
    (await api.get("/api/user/messages/unread_count", { schema: UnreadCount, signal })).unread_count,
  refetchInterval: UNREAD_EVERY_MS,
});

type ListQuery = { readonly page: number; readonly pageSize: number };

/** One page of the user's messages, newest first; pages count from 1 here and on the wire. */
export const inboxQuery = ({ page, pageSize }: ListQuery) =>
  queryOptions({
    queryKey: ["inbox", "list", page, pageSize],
    queryFn: ({ signal }) =>
      api.get("/api/user/messages/", { query: { p: page, page_size: pageSize }, schema: InboxPage, signal }),
    placeholderData: keepPreviousData,
  });

/** One of the user's messages. */
export const messageQuery = (id: number) =>
  queryOptions({
    queryKey: ["inbox", "one", id],
    queryFn: ({ signal }) => api.get(`/api/user/messages/${id}`, { schema: InboxMessageDetail, signal }),
  });

/** Marks a message as read and refetches the unread count. */
export async function markRead(id: number): Promise<void> {
  await api.put(`/api/user/messages/${id}/read`);
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: unreadQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ["inbox", "list"] }),
  ]);
}
