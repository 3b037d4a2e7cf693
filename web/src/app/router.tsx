import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { listSearch } from "../components/data-table/use-list-search.ts";
import { dropSession } from "../lib/account.ts";
import { whenSignedOut } from "../lib/api-client.ts";
import { enterArea } from "../lib/i18n.ts";
import { queryClient } from "../lib/query-client.ts";
import {
  anyTextSearch,
  choiceSearch,
  daySearch,
  flagSearch,
  searchOf,
  textSearch,
  wholeSearch,
} from "../lib/search.ts";
import { isAdmin, useSession } from "../lib/session.ts";
import { statusQuery } from "../lib/status.ts";
import { ErrorPage, NotFoundPage } from "./error-page.tsx";
import { PagePending } from "./page-pending.tsx";
import { Root } from "./root.tsx";
import { consoleHome } from "./shell/console-home.ts";

const numberSearch = wholeSearch(0);

const rootRoute = createRootRoute({
  component: Root,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
  beforeLoad: async ({ location }) => {
    const status = await queryClient.ensureQueryData(statusQuery);
    if (!status.setup && location.pathname !== "/setup") throw redirect({ to: "/setup" });
    if (status.setup && location.pathname === "/setup") throw redirect({ to: "/" });
  },
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/setup",
  component: lazyRouteComponent(() => import("../features/setup/setup-page.tsx"), "SetupPage"),
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/login",
  validateSearch: searchOf({ expired: flagSearch, returnTo: anyTextSearch }),
  component: lazyRouteComponent(() => import("../features/login/login-page.tsx"), "LoginPage"),
});

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: lazyRouteComponent(() => import("./shell/app-shell.tsx"), "AppShell"),
});

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: async () => {
    const status = await queryClient.ensureQueryData(statusQuery);
    throw redirect({ to: useSession.getState().user ? consoleHome(status) : "/login" });
  },
});

const pricingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/pricing",
  validateSearch: searchOf({ ...listSearch, keyword: textSearch, group: textSearch, billing: textSearch }),
  component: lazyRouteComponent(() => import("../features/pricing/pricing-page.tsx"), "PricingPage"),
});

const signedInRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: "signed-in",
  beforeLoad: ({ location }) => {
    if (!useSession.getState().user) throw redirect({ to: "/login", search: { returnTo: location.href } });
  },
});

const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: "admin",
  beforeLoad: () => {
    if (!isAdmin(useSession.getState().user)) throw redirect({ to: "/" });
  },
});

const dashboardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/dashboard",
  validateSearch: searchOf({
    days: choiceSearch(1, 7, 30),
    by: choiceSearch("hour", "day", "week"),
    scope: choiceSearch("site", "self"),
  }),
  component: lazyRouteComponent(() => import("../features/dashboard/dashboard-page.tsx"), "DashboardPage"),
});

const tokensRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/tokens",
  validateSearch: searchOf({ ...listSearch, keyword: textSearch, token: textSearch }),
  component: lazyRouteComponent(() => import("../features/tokens/tokens-page.tsx"), "TokensPage"),
});
const tokenEditor = lazyRouteComponent(() => import("../features/tokens/token-editor.tsx"), "TokenEditor");
const tokenNewRoute = createRoute({ getParentRoute: () => tokensRoute, path: "new", component: tokenEditor });
const tokenEditRoute = createRoute({ getParentRoute: () => tokensRoute, path: "$id", component: tokenEditor });

const logsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/logs/api-usage",
  validateSearch: searchOf({
    ...listSearch,
    type: numberSearch,
    model: textSearch,
    token: textSearch,
    username: textSearch,
    channel: numberSearch,
    group: textSearch,
    request: textSearch,
    range: choiceSearch("today", "3d", "7d", "30d", "custom"),
    start: numberSearch,
    end: numberSearch,
  }),
  component: lazyRouteComponent(() => import("../features/logs/logs-page.tsx"), "LogsPage"),
});

const walletRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/wallet",
  component: lazyRouteComponent(() => import("../features/wallet/wallet-page.tsx"), "WalletPage"),
});

const inboxRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/inbox",
  validateSearch: searchOf(listSearch),
  component: lazyRouteComponent(() => import("../features/inbox/inbox-page.tsx"), "InboxPage"),
});
const messageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/inbox/$id",
  component: lazyRouteComponent(() => import("../features/inbox/message-page.tsx"), "MessagePage"),
});

const channelsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/channels",
  validateSearch: searchOf({
    ...listSearch,
    keyword: textSearch,
    model: textSearch,
    group: textSearch,
    sort: choiceSearch("id", "priority"),
    copy: numberSearch,
  }),
  component: lazyRouteComponent(() => import("../features/channels/channels-page.tsx"), "ChannelsPage"),
});
const channelEditor = lazyRouteComponent(() => import("../features/channels/channel-editor.tsx"), "ChannelEditor");
const channelNewRoute = createRoute({ getParentRoute: () => channelsRoute, path: "new", component: channelEditor });
const channelEditRoute = createRoute({ getParentRoute: () => channelsRoute, path: "$id", component: channelEditor });

// Addresses that people of this family of consoles have in their bookmarks.
const channelAddRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/channel/add",
  beforeLoad: () => {
    throw redirect({ to: "/admin/channels/new" });
  },
});
const channelOldEditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/channel/edit/$id",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/admin/channels/$id", params });
  },
});

const couponsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/coupons",
  validateSearch: searchOf({ ...listSearch, keyword: textSearch }),
  component: lazyRouteComponent(() => import("../features/coupons/coupons-page.tsx"), "CouponsPage"),
});
const couponEditor = lazyRouteComponent(() => import("../features/coupons/coupon-editor.tsx"), "CouponEditor");
const couponNewRoute = createRoute({ getParentRoute: () => couponsRoute, path: "new", component: couponEditor });
const couponEditRoute = createRoute({ getParentRoute: () => couponsRoute, path: "$id", component: couponEditor });

const auditRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/audit",
  validateSearch: searchOf({
    ...listSearch,
    actor: textSearch,
    area: textSearch,
    keyword: textSearch,
    from: daySearch,
    to: daySearch,
  }),
  component: lazyRouteComponent(() => import("../features/audit/audit-page.tsx"), "AuditPage"),
});

const messagesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/messages",
  validateSearch: searchOf({ ...listSearch, keyword: textSearch, from: daySearch, to: daySearch }),
  component: lazyRouteComponent(() => import("../features/messages/messages-page.tsx"), "MessagesPage"),
});
const messageEditor = lazyRouteComponent(() => import("../features/messages/message-editor.tsx"), "MessageEditor");
const messageNewRoute = createRoute({ getParentRoute: () => messagesRoute, path: "new", component: messageEditor });
const messageEditRoute = createRoute({ getParentRoute: () => messagesRoute, path: "$id", component: messageEditor });
const recipientsRoute = createRoute({
  getParentRoute: () => messagesRoute,
  path: "$id/recipients",
  component: lazyRouteComponent(() => import("../features/messages/recipients-sheet.tsx"), "RecipientsSheet"),
});

const usersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/users",
  validateSearch: searchOf({
    ...listSearch,
    keyword: textSearch,
    group: textSearch,
    role: choiceSearch(1, 10, 100),
    status: choiceSearch(1, 2, 3),
  }),
  component: lazyRouteComponent(() => import("../features/users/users-page.tsx"), "UsersPage"),
});
const userEditor = lazyRouteComponent(() => import("../features/users/user-editor.tsx"), "UserEditor");
const userNewRoute = createRoute({ getParentRoute: () => usersRoute, path: "new", component: userEditor });
const userEditRoute = createRoute({ getParentRoute: () => usersRoute, path: "$id", component: userEditor });
const userOldEditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/user/edit/$id",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/admin/users/$id", params });
  },
});

const settingsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/settings",
  validateSearch: searchOf({ tab: choiceSearch("operation", "ratelimit", "models", "system", "other") }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../features/settings/settings-page.tsx"), enterArea("settings")]);
    return page;
  }, "SettingsPage"),
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  setupRoute,
  loginRoute,
  channelAddRoute,
  channelOldEditRoute,
  userOldEditRoute,
  shellRoute.addChildren([
    pricingRoute,
    signedInRoute.addChildren([
      dashboardRoute,
      tokensRoute.addChildren([tokenNewRoute, tokenEditRoute]),
      logsRoute,
      walletRoute,
      inboxRoute,
      messageRoute,
      adminRoute.addChildren([
        channelsRoute.addChildren([channelNewRoute, channelEditRoute]),
        couponsRoute.addChildren([couponNewRoute, couponEditRoute]),
        auditRoute,
        messagesRoute.addChildren([messageNewRoute, messageEditRoute, recipientsRoute]),
        usersRoute.addChildren([userNewRoute, userEditRoute]),
        settingsRoute,
      ]),
    ]),
  ]),
]);

/** Every page of the console. */
export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

// One lost session is one redirect, however many calls notice it.
whenSignedOut(() => {
  if (!useSession.getState().user) return;
  const returnTo = router.state.location.href;
  dropSession();
  void router.navigate({ to: "/login", search: { expired: true, returnTo }, ignoreBlocker: true });
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
