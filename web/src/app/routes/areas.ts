import { createRootRoute, createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { queryClient } from "../../lib/query-client.ts";
import { isAdmin, useSession } from "../../lib/session.ts";
import { statusQuery } from "../../lib/status.ts";
import { ErrorPage, NotFoundPage } from "../error-page.tsx";
import { Root } from "../root.tsx";

/** What every page lies in; a site that is not set up has no other page than that. */
export const rootRoute = createRootRoute({
  component: Root,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
  beforeLoad: async ({ location }) => {
    const status = await queryClient.ensureQueryData(statusQuery);
    if (!status.setup && location.pathname !== "/setup") throw redirect({ to: "/setup" });
    if (status.setup && location.pathname === "/setup") throw redirect({ to: "/" });
  },
});

/** Pages with header and sidebar. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: lazyRouteComponent(() => import("../shell/app-shell.tsx"), "AppShell"),
});

/** Pages of somebody who is signed in. */
export const signedInRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: "signed-in",
  beforeLoad: ({ location }) => {
    if (!useSession.getState().user) throw redirect({ to: "/login", search: { returnTo: location.href } });
  },
});

/** Pages of administrators. */
export const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: "admin",
  beforeLoad: () => {
    if (!isAdmin(useSession.getState().user)) throw redirect({ to: "/" });
  },
});
