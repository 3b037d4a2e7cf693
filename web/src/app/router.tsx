import { createRoute, createRouter, parseSearchWith, stringifySearchWith } from "@tanstack/react-router";
import { listSearch } from "../components/data-table/use-list-search.ts";
import { clearSession } from "../lib/session/account.ts";
import { setSignedOutHandler } from "../lib/api/api-client.ts";
import { exactJson } from "../lib/api/exact-json.ts";
import { choiceSearch, createSearchParser, textSearch, wholeSearch } from "../lib/text/search.ts";
import { useSession } from "../lib/session/session.ts";
import { ErrorPage, NotFoundPage } from "./error-page.tsx";
import { PagePending } from "./page-pending.tsx";
import { adminRoute, rootRoute, shellRoute, signedInRoute } from "./routes/areas.ts";
import { billingRoutes, walletRoute } from "./routes/billing-routes.ts";
import { oldUserRoutes, userRoutes, accountRoutes } from "./routes/account-routes.ts";
import { playgroundRoute } from "./routes/playground-route.ts";
import { signInRoutes } from "./routes/sign-in-routes.ts";
import { oldChannelRoutes, channelRoutes } from "./routes/channel-routes.ts";
import { siteRoutes } from "./routes/site-routes.ts";
import { taskRoutes } from "./routes/task-routes.ts";
import { tokenRoutes } from "./routes/token-routes.ts";
import { lazyPage } from "./routes/lazy-page.ts";

const numberSearch = wholeSearch(0);

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/setup",
  component: lazyPage("setup", () => import("../features/setup/setup-page.tsx"), "SetupPage"),
});

const pricingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/pricing",
  validateSearch: createSearchParser({
    ...listSearch,
    keyword: textSearch,
    group: textSearch,
    billing: textSearch,
    vendor: textSearch,
  }),
  component: lazyPage("pricing", () => import("../features/pricing/pricing-page.tsx"), "PricingPage"),
});

const referenceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/api-reference",
  validateSearch: createSearchParser({ subject: choiceSearch("models", "console"), keyword: textSearch }),
  component: lazyPage("api-reference", () => import("../features/api-reference/reference-page.tsx"), "ReferencePage"),
});

const statusRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/status",
  validateSearch: createSearchParser({ keyword: textSearch, state: choiceSearch("available", "troubled") }),
  component: lazyPage("status", () => import("../features/status/status-page.tsx"), "StatusPage"),
});

const dashboardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/dashboard",
  validateSearch: createSearchParser({
    days: choiceSearch(1, 7, 30),
    by: choiceSearch("hour", "day", "week"),
    scope: choiceSearch("site", "self"),
    model: textSearch,
    user: textSearch,
  }),
  component: lazyPage("dashboard", () => import("../features/dashboard/dashboard-page.tsx"), "DashboardPage"),
});

const logsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/logs/api-usage",
  validateSearch: createSearchParser({
    ...listSearch,
    type: numberSearch,
    model: textSearch,
    token: textSearch,
    username: textSearch,
    channel: numberSearch,
    group: textSearch,
    request: textSearch,
    error: textSearch,
    session: textSearch,
    range: choiceSearch("today", "3d", "7d", "30d", "all", "custom"),
    start: numberSearch,
    end: numberSearch,
  }),
  component: lazyPage("logs", () => import("../features/logs/logs-page.tsx"), "LogsPage"),
});

const startRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/start",
  validateSearch: createSearchParser({ step: choiceSearch(1, 2, 3) }),
  component: lazyPage("start", () => import("../features/start/start-page.tsx"), "StartPage"),
});

const settingsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/settings",
  validateSearch: createSearchParser({
    tab: choiceSearch("operation", "ratelimit", "models", "system", "other"),
    option: textSearch,
  }),
  component: lazyPage("settings", () => import("../features/settings/settings-page.tsx"), "SettingsPage"),
});

const routeTree = rootRoute.addChildren([
  siteRoutes,
  setupRoute,
  ...signInRoutes,
  ...oldChannelRoutes,
  ...oldUserRoutes,
  shellRoute.addChildren([
    pricingRoute,
    referenceRoute,
    statusRoute,
    signedInRoute.addChildren([
      dashboardRoute,
      playgroundRoute,
      ...tokenRoutes,
      logsRoute,
      ...taskRoutes,
      walletRoute,
      ...accountRoutes,
      adminRoute.addChildren([...channelRoutes, ...billingRoutes, ...userRoutes, settingsRoute, startRoute]),
    ]),
  ]),
]);

/** Every page of the console. */
export const router = createRouter({
  routeTree,
  parseSearch: parseSearchWith(exactJson),
  stringifySearch: stringifySearchWith(JSON.stringify, exactJson),
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

// A lost session causes one redirect, however many calls fail.
setSignedOutHandler(() => {
  if (!useSession.getState().user) return;
  const returnTo = router.state.location.href;
  clearSession();
  void router.navigate({ to: "/login", search: { expired: true, returnTo }, ignoreBlocker: true });
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
