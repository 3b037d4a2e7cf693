import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { loadAreaTexts } from "../../lib/i18n.ts";
import { choiceSearch, daySearch, createSearchParser, textSearch } from "../../lib/search.ts";
import { adminRoute, rootRoute, signedInRoute } from "./areas.ts";

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/me",
  validateSearch: createSearchParser({ tab: choiceSearch("overview", "security", "notification", "price", "other") }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/profile/profile-page.tsx"), loadAreaTexts("profile")]);
    return page;
  }, "ProfilePage"),
});

const inboxRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/inbox",
  validateSearch: createSearchParser(listSearch),
  component: lazyRouteComponent(() => import("../../features/inbox/inbox-page.tsx"), "InboxPage"),
});
const messageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/inbox/$id",
  component: lazyRouteComponent(() => import("../../features/inbox/message-page.tsx"), "MessagePage"),
});

/** What belongs to a person: the account and the inbox. */
export const accountRoutes = [profileRoute, inboxRoute, messageRoute] as const;

const auditRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/audit",
  validateSearch: createSearchParser({
    ...listSearch,
    actor: textSearch,
    area: textSearch,
    keyword: textSearch,
    from: daySearch,
    to: daySearch,
  }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/audit/audit-page.tsx"), loadAreaTexts("audit")]);
    return page;
  }, "AuditPage"),
});

const messagesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/messages",
  validateSearch: createSearchParser({ ...listSearch, keyword: textSearch, from: daySearch, to: daySearch }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/messages/messages-page.tsx"), loadAreaTexts("messages")]);
    return page;
  }, "MessagesPage"),
});
const messageEditor = lazyRouteComponent(() => import("../../features/messages/message-editor.tsx"), "MessageEditor");
const messageNewRoute = createRoute({ getParentRoute: () => messagesRoute, path: "new", component: messageEditor });
const messageEditRoute = createRoute({ getParentRoute: () => messagesRoute, path: "$id", component: messageEditor });
const recipientsRoute = createRoute({
  getParentRoute: () => messagesRoute,
  path: "$id/recipients",
  component: lazyRouteComponent(() => import("../../features/messages/recipients-sheet.tsx"), "RecipientsSheet"),
});

const usersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/users",
  validateSearch: createSearchParser({
    ...listSearch,
    keyword: textSearch,
    group: textSearch,
    role: choiceSearch(1, 10, 100),
    status: choiceSearch(1, 2, 3),
  }),
  component: lazyRouteComponent(() => import("../../features/users/users-page.tsx"), "UsersPage"),
});
const userEditor = lazyRouteComponent(() => import("../../features/users/user-editor.tsx"), "UserEditor");
const userNewRoute = createRoute({ getParentRoute: () => usersRoute, path: "new", component: userEditor });
const userEditRoute = createRoute({ getParentRoute: () => usersRoute, path: "$id", component: userEditor });
const userSelfEditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/user/edit",
  beforeLoad: () => {
    throw redirect({ to: "/app/me" });
  },
});
const userOldEditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/user/edit/$id",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/admin/users/$id", params });
  },
});

/** Addresses of user pages that people of this family of consoles have in their bookmarks. */
export const oldUserRoutes = [userSelfEditRoute, userOldEditRoute] as const;

/** What admins see and do of people: users, messages to them, and what was done. */
export const userRoutes = [
  auditRoute,
  messagesRoute.addChildren([messageNewRoute, messageEditRoute, recipientsRoute]),
  usersRoute.addChildren([userNewRoute, userEditRoute]),
] as const;
