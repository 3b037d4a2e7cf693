import { IdParams, pageQuery } from "@turnpike/contract/api/common";
import { MessageBody, MessageFilter } from "@turnpike/contract/api/message";
import { Router } from "express";
import { ok, okPage } from "../http/answer.ts";
import { toAdminMessage, toInboxMessage } from "../join/message.ts";
import type { RoutesDeps } from "./routes-deps.ts";

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
    .put(
      "/:id/read",
      route({ access: "user", params: IdParams }, async ({ params }, { caller, call }) => {
        await inbox.markRead({ userId: caller.user.id, messageId: params.id }, call);
        return ok();
      }),
    );
}

/** Messages from admins to users. Mounted at /api/admin/messages. */
export function messageRoutes({ services: { inbox }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route({ access: "admin", query: MessageFilter.and(pageQuery(1)) }, async ({ query }, { call }) => {
        const found = await inbox.listMessages(query, call);
        return okPage(query, { items: found.items.map(toAdminMessage), total: found.total });
      }),
    )
    .post(
      "/",
      route({ access: "admin", body: MessageBody }, async ({ body }, { call }) => {
        const { title, content, format, user_ids: userIds } = body;
        const { message } = await inbox.createMessage(
          { title, content, format, userIds },
          { ...call, timeoutMs: 15_000 },
        );
        return ok(toAdminMessage(message));
      }),
    )
    .delete(
      "/:id",
      route({ access: "admin", params: IdParams }, async ({ params }, { call }) => {
        await inbox.deleteMessage(params, call);
        return ok();
      }),
    );
}
