import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { homeQuery } from "../../features/content/content-api.ts";
import { queryClient } from "../../lib/api/query-client.ts";
import { useSession } from "../../lib/session/session.ts";
import { statusQuery } from "../../lib/status.ts";
import { consoleHome } from "../shell/console-home.ts";
import { rootRoute } from "./areas.ts";
import { lazyPage } from "./lazy-page.ts";

const siteRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "site",
  component: lazyPage("console", () => import("../shell/app-shell.tsx"), "SiteShell"),
});

// Shows the operator's own home page if there is one; otherwise signed-in users go to their console, and a self-use
// site shows no public page. Without a site status it shows the plain home page.
const homeRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: "/",
  beforeLoad: async () => {
    const [status, home] = await Promise.all([
      queryClient.ensureQueryData(statusQuery),
      queryClient.ensureQueryData(homeQuery).catch(() => ""),
    ]);
    if (home.trim() !== "") return;
    if (useSession.getState().user) throw redirect({ to: consoleHome(status) });
    if (status.self_use_mode_enabled) throw redirect({ to: "/login" });
  },
  component: lazyRouteComponent(() => import("../../features/content/home-page.tsx"), "HomePage"),
});

const aboutRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: "/about",
  component: lazyRouteComponent(() => import("../../features/content/about-page.tsx"), "AboutPage"),
});

/** The site's public pages. */
export const siteRoutes = siteRoute.addChildren([homeRoute, aboutRoute]);
