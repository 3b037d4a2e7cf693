import { createRootRoute, createRoute, redirect } from "@tanstack/react-router";
import { applySiteLanguage } from "../../lib/text/i18n.ts";
import { queryClient } from "../../lib/api/query-client.ts";
import { isAdmin, useSession } from "../../lib/session/session.ts";
import { statusQuery } from "../../lib/status.ts";
import { ErrorPage, NotFoundPage } from "../error-page.tsx";
import { Root } from "../root.tsx";
import { lazyPage } from "./lazy-page.ts";

/** The root route of all pages; a site that is not set up shows only the setup page. */
export const rootRoute = createRootRoute({
  component: Root,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
  beforeLoad: async ({ location }) => {
    const status = await queryClient.ensureQueryData(statusQuery);
    await applySiteLanguage(status.default_language);
    if (!status.setup && location.pathname !== "/setup") throw redirect({ to: "/setup" });
    if (status.setup && location.pathname === "/setup") throw redirect({ to: "/" });
  },
});

/** Pages with header and sidebar. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: lazyPage("console", () => import("../shell/app-shell.tsx"), "AppShell"),
});

/** Pages for signed-in users. */
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
