import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { choiceSearch, daySearch, createSearchParser, textSearch, wholeSearch } from "../../lib/text/search.ts";
import { adminRoute, rootRoute, signedInRoute } from "./areas.ts";
import { lazyPage } from "./lazy-page.ts";

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/me",
  validateSearch: createSearchParser({ tab: choiceSearch("overview", "security", "notification", "price", "other") }),
  component: lazyPage("profile", () => import("../../features/profile/profile-page.tsx"), "ProfilePage"),
});

const inboxRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/inbox",
  validateSearch: createSearchParser(listSearch),
  component: lazyPage("inbox", () => import("../../features/inbox/inbox-page.tsx"), "InboxPage"),
});
const messageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/inbox/$id",
  component: lazyPage("inbox", () => import("../../features/inbox/message-page.tsx"), "MessagePage"),
});

/** Pages of the user's own account and inbox. */
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
  component: lazyPage("audit", () => import("../../features/audit/audit-page.tsx"), "AuditPage"),
});

const declaredRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/declared",
  component: lazyPage("declared", () => import("../../features/declared/declared-page.tsx"), "DeclaredPage"),
});

const messagesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/messages",
  validateSearch: createSearchParser({ ...listSearch, keyword: textSearch, from: daySearch, to: daySearch }),
  component: lazyPage("messages", () => import("../../features/messages/messages-page.tsx"), "MessagesPage"),
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
    order: choiceSearch("balance", "spent", "last_call"),
    role: choiceSearch(1, 10, 100),
    status: choiceSearch(1, 2, 3),
    quota: wholeSearch(1),
  }),
  component: lazyPage("users", () => import("../../features/users/users-page.tsx"), "UsersPage"),
});
const customerRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/customers/$id",
  component: lazyPage("users", () => import("../../features/users/customer-page.tsx"), "CustomerPage"),
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

/** Addresses of user pages in other consoles of this family, kept for bookmarks. */
export const oldUserRoutes = [userSelfEditRoute, userOldEditRoute] as const;

/** User administration: users, messages to them, and the audit log. */
export const userRoutes = [
  auditRoute,
  declaredRoute,
  messagesRoute.addChildren([messageNewRoute, messageEditRoute, recipientsRoute]),
  usersRoute.addChildren([userNewRoute, userEditRoute]),
  customerRoute,
] as const;
