import { IdParams, pageQuery, queryNumber } from "@turnpike/contract/api/common";
import {
  MessageBody,
  MessageEditBody,
  MessageFilter,
  MessagePreviewBody,
  MessageSearch,
  RecipientFilter,
} from "@turnpike/contract/api/message";
import { Router } from "express";
import { ok, okList, okPage } from "../http/api-response.ts";
import { toDateRange } from "../presenters/date-range.ts";
import { toAdminDetail, toAdminMessage, toInboxDetail, toInboxMessage, toRecipient } from "../presenters/message.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** Sending checks each recipient with auth. */
const SEND_TIMEOUT_MS = 15_000;

/** A user's inbox. Mounted at /api/user/messages. */
export function inboxRoutes({ services: { inbox }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route({ access: "user", query: pageQuery(1) }, async ({ query }, { caller, call }) => {
        const found = await inbox.listInbox({ userId: caller.user.id, ...query }, call);
        return okPage(query, { items: found.items.map(toInboxMessage), total: found.total });
      }),
    )
    .get(
      "/unread_count",
      route({ access: "user" }, async (_, { caller, call }) => {
        const { unreadCount } = await inbox.countUnread({ userId: caller.user.id }, call);
        return ok({ unread_count: unreadCount });
      }),
    )
    .get(
      "/:id",
      route({ access: "user", params: IdParams }, async ({ params }, { caller, call }) =>
        ok(toInboxDetail((await inbox.getInboxMessage({ userId: caller.user.id, messageId: params.id }, call)).item)),
      ),
    )
    .put(
      "/:id/read",
      route({ access: "user", params: IdParams }, async ({ params }, { caller, call }) => {
        await inbox.markRead({ userId: caller.user.id, messageId: params.id }, call);
        return ok();
      }),
    );
}

/** What admins see of messages. */
function readingRoutes({ services: { inbox }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route({ access: "admin", query: MessageFilter.and(pageQuery(1)) }, async ({ query }, { call }) => {
        const found = await inbox.listMessages({ ...query, startSeconds: 0, endSeconds: 0 }, call);
        return okPage(query, { items: found.items.map(toAdminMessage), total: found.total });
      }),
    )
    .get(
      "/search",
      route({ access: "admin", query: MessageSearch.and(pageQuery(1)) }, async ({ query }, { call }) => {
        const { start_date: start, end_date: end, ...filter } = query;
        const found = await inbox.listMessages({ ...filter, ...toDateRange(start, end) }, call);
        return okPage(query, { items: found.items.map(toAdminMessage), total: found.total });
      }),
    )
    .get(
      "/:id",
      route({ access: "admin", params: IdParams }, async ({ params }, { call }) =>
        ok(toAdminDetail((await inbox.getMessage(params, call)).message)),
      ),
    )
    .get(
      "/:id/recipients",
      route(
        {
          access: "admin",
          params: IdParams,
          query: RecipientFilter.and(pageQuery(1)),
        },
        async ({ params, query }, { call, request }) => {
          // Clients that know no pages here get all of them.
          const isPaged = query.paged || queryNumber.parse(request.query["page_size"]) > 0;
          const pageSize = isPaged ? query.pageSize : 0;
          const asked = { messageId: params.id, read: query.read, page: query.page, pageSize };
          const found = await inbox.listRecipients(asked, { ...call, timeoutMs: SEND_TIMEOUT_MS });
          return okList(query, { items: found.items.map(toRecipient), total: found.total });
        },
      ),
    );
}

/** What admins do with messages. */
function writingRoutes({ services: { inbox }, route }: RoutesDeps): Router {
  return Router()
    .post(
      "/preview",
      route({ access: "admin", body: MessagePreviewBody }, async ({ body }, { call }) =>
        ok({ html: (await inbox.previewMessage(body, call)).html }),
      ),
    )
    .post(
      "/",
      route({ access: "admin", body: MessageBody }, async ({ body }, { call }) => {
        const { user_ids: userIds, ...text } = body;
        const { message } = await inbox.createMessage({ ...text, userIds }, { ...call, timeoutMs: SEND_TIMEOUT_MS });
        return ok(toAdminMessage(message));
      }),
    )
    .put(
      "/:id",
      route({ access: "admin", params: IdParams, body: MessageEditBody }, async ({ params, body }, { call }) =>
        ok(toAdminMessage((await inbox.updateMessage({ ...params, ...body }, call)).message)),
      ),
    )
    .delete(
      "/:id",
      route({ access: "admin", params: IdParams }, async ({ params }, { call }) => {
        await inbox.deleteMessage(params, call);
        return ok();
      }),
    );
}

/** Messages from admins to users. Mounted at /api/admin/messages. */
export const messageRoutes = (deps: RoutesDeps): Router => Router().use("/", readingRoutes(deps), writingRoutes(deps));
