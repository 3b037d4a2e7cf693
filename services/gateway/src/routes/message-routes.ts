import { IdParams, pageQuery, queryNumber, Done, listSchema, successSchema } from "@turnpike/contract/api/common";
import {
  MessageBody,
  MessageEditBody,
  MessageFilter,
  MessagePreviewBody,
  MessageSearch,
  RecipientFilter,
  AdminMessage,
  AdminMessageDetail,
  AdminMessagePage,
  InboxMessageDetail,
  InboxPage,
  MessagePreview,
  MessageRecipientPage,
  UnreadCount,
} from "@turnpike/contract/api/message";
import { Router } from "express";
import { ok, okList, okPage } from "../http/api-response.ts";
import { toDateRange } from "../presenters/date-range.ts";
import { toAdminDetail, toAdminMessage, toInboxDetail, toInboxMessage, toRecipient } from "../presenters/message.ts";
import type { RoutesDeps } from "./routes-deps.ts";
import { z } from "zod/mini";

/** Sending checks each recipient with auth. */
const SEND_TIMEOUT_MS = 15_000;

const SPECS = {
  listOwnMessages: {
    access: "user",
    summary: "List the own messages",
    returns: successSchema(InboxPage),
    query: pageQuery(1),
  },
  countUnreadMessages: { access: "user", summary: "Count the unread messages", returns: successSchema(UnreadCount) },
  readMessage: {
    access: "user",
    summary: "Read a message",
    returns: successSchema(InboxMessageDetail),
    params: IdParams,
  },
  markRead: { access: "user", summary: "Mark a message as read", returns: Done, params: IdParams },
  listSentMessages: {
    access: "admin",
    summary: "List sent messages",
    returns: successSchema(AdminMessagePage),
    query: z.intersection(MessageFilter, pageQuery(1)),
  },
  searchSentMessages: {
    access: "admin",
    summary: "Search sent messages",
    returns: successSchema(AdminMessagePage),
    query: z.intersection(MessageSearch, pageQuery(1)),
  },
  readSentMessage: {
    access: "admin",
    summary: "Read a sent message",
    returns: successSchema(AdminMessageDetail),
    params: IdParams,
  },
  listRecipients: {
    access: "admin",
    summary: "List the recipients of a message",
    returns: successSchema(listSchema(MessageRecipientPage)),
    params: IdParams,
    query: z.intersection(RecipientFilter, pageQuery(1)),
  },
  renderMessage: {
    access: "admin",
    summary: "Render a message",
    returns: successSchema(MessagePreview),
    body: MessagePreviewBody,
  },
  sendMessage: { access: "admin", summary: "Send a message", returns: successSchema(AdminMessage), body: MessageBody },
  changeSentMessage: {
    access: "admin",
    summary: "Change a sent message",
    returns: successSchema(AdminMessage),
    params: IdParams,
    body: MessageEditBody,
  },
  deleteSentMessage: { access: "admin", summary: "Delete a sent message", returns: Done, params: IdParams },
} as const;

/** A user's inbox. Mounted at /api/user/messages. */
export function inboxRoutes({ services: { inbox }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route(SPECS.listOwnMessages, async ({ query }, { caller, call }) => {
        const found = await inbox.listInbox({ userId: caller.user.id, ...query }, call);
        return okPage(query, { items: found.items.map(toInboxMessage), total: found.total });
      }),
    )
    .get(
      "/unread_count",
      route(SPECS.countUnreadMessages, async (_, { caller, call }) => {
        const { unreadCount } = await inbox.countUnread({ userId: caller.user.id }, call);
        return ok({ unread_count: unreadCount });
      }),
    )
    .get(
      "/:id",
      route(SPECS.readMessage, async ({ params }, { caller, call }) =>
        ok(toInboxDetail((await inbox.getInboxMessage({ userId: caller.user.id, messageId: params.id }, call)).item)),
      ),
    )
    .put(
      "/:id/read",
      route(SPECS.markRead, async ({ params }, { caller, call }) => {
        await inbox.markRead({ userId: caller.user.id, messageId: params.id }, call);
        return ok();
      }),
    );
}

/** Messages as administrators see them. */
function readingRoutes({ services: { inbox }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route(SPECS.listSentMessages, async ({ query }, { call }) => {
        const found = await inbox.listMessages({ ...query, startSeconds: 0, endSeconds: 0 }, call);
        return okPage(query, { items: found.items.map(toAdminMessage), total: found.total });
      }),
    )
    .get(
      "/search",
      route(SPECS.searchSentMessages, async ({ query }, { call }) => {
        const { start_date: start, end_date: end, ...filter } = query;
        const found = await inbox.listMessages({ ...filter, ...toDateRange(start, end) }, call);
        return okPage(query, { items: found.items.map(toAdminMessage), total: found.total });
      }),
    )
    .get(
      "/:id",
      route(SPECS.readSentMessage, async ({ params }, { call }) =>
        ok(toAdminDetail((await inbox.getMessage(params, call)).message)),
      ),
    )
    .get(
      "/:id/recipients",
      route(SPECS.listRecipients, async ({ params, query }, { call, request }) => {
        // Clients that do not page this list get all of it.
        const isPaged = query.paged || queryNumber.parse(request.query["page_size"]) > 0;
        const pageSize = isPaged ? query.pageSize : 0;
        const filter = { messageId: params.id, read: query.read, page: query.page, pageSize };
        const found = await inbox.listRecipients(filter, { ...call, timeoutMs: SEND_TIMEOUT_MS });
        return okList(query, { items: found.items.map(toRecipient), total: found.total });
      }),
    );
}

/** Administration of messages. */
function writingRoutes({ services: { inbox }, route }: RoutesDeps): Router {
  return Router()
    .post(
      "/preview",
      route(SPECS.renderMessage, async ({ body }, { call }) =>
        ok({ html: (await inbox.previewMessage(body, call)).html }),
      ),
    )
    .post(
      "/",
      route(SPECS.sendMessage, async ({ body }, { call }) => {
        const { user_ids: userIds, ...text } = body;
        const { message } = await inbox.createMessage({ ...text, userIds }, { ...call, timeoutMs: SEND_TIMEOUT_MS });
        return ok(toAdminMessage(message));
      }),
    )
    .put(
      "/:id",
      route(SPECS.changeSentMessage, async ({ params, body }, { call }) =>
        ok(toAdminMessage((await inbox.updateMessage({ ...params, ...body }, call)).message)),
      ),
    )
    .delete(
      "/:id",
      route(SPECS.deleteSentMessage, async ({ params }, { call }) => {
        await inbox.deleteMessage(params, call);
        return ok();
      }),
    );
}

/** Messages from administrators to users. Mounted at /api/admin/messages. */
export const messageRoutes = (deps: RoutesDeps): Router => Router().use("/", readingRoutes(deps), writingRoutes(deps));
