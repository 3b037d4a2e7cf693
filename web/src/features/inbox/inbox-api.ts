import type { InboxMessage, InboxMessageDetail } from "@turnpike/contract/api/message";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isPageOf } from "../../lib/api-schemas.ts";
import { api } from "../../lib/api-client.ts";
import { isAnything, isFlag, isNullable, isNumber, isObjectOf, isText } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";

const message = {
  id: isNumber,
  title: isText,
  content: isText,
  format: isText,
  created_at: isNumber,
  is_read: isFlag,
  read_at: isNullable(isNumber),
  preview: isText,
};
const isListedMessage = isObjectOf<InboxMessage>(message);
const isOpenedMessage = isObjectOf<InboxMessageDetail>({ ...message, content_html: isText });
const isInboxPage = isPageOf(isListedMessage);
const isUnreadCount = isObjectOf<{ unread_count: number }>({ unread_count: isNumber });

const UNREAD_EVERY_MS = 30_000;

/** How many messages wait to be read; asked again every half minute while the tab is looked at. */
export const unreadQuery = queryOptions({
  queryKey: ["inbox", "unread"],
  queryFn: async ({ signal }) =>
    (await api.get("/api/user/messages/unread_count", { fits: isUnreadCount, signal })).unread_count,
  refetchInterval: UNREAD_EVERY_MS,
});

type ListQuery = { readonly page: number; readonly pageSize: number };

/** One page of the user's messages, newest first; pages count from 1 here and on the wire. */
export const inboxQuery = ({ page, pageSize }: ListQuery) =>
  queryOptions({
    queryKey: ["inbox", "list", page, pageSize],
    queryFn: ({ signal }) =>
      api.get("/api/user/messages/", { query: { p: page, page_size: pageSize }, fits: isInboxPage, signal }),
    placeholderData: keepPreviousData,
  });

/** One of the user's messages. */
export const messageQuery = (id: number) =>
  queryOptions({
    queryKey: ["inbox", "one", id],
    queryFn: ({ signal }) => api.get(`/api/user/messages/${id}`, { fits: isOpenedMessage, signal }),
  });

/** Notes that a message was read; what counts unread ones is read again. */
export async function markRead(id: number): Promise<void> {
  await api.put(`/api/user/messages/${id}/read`, { fits: isAnything });
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: unreadQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ["inbox", "list"] }),
  ]);
}
