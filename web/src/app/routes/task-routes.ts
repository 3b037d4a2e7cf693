import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { enterArea } from "../../lib/i18n.ts";
import { daySearch, searchOf, textSearch, wholeSearch } from "../../lib/search.ts";
import { signedInRoute } from "./areas.ts";

const taskSearch = searchOf({
  ...listSearch,
  id: textSearch,
  channel: wholeSearch(1),
  from: daySearch,
  to: daySearch,
});

const drawingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/logs/drawing",
  validateSearch: taskSearch,
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/drawings/drawings-page.tsx"), enterArea("tasks")]);
    return page;
  }, "DrawingsPage"),
});

const tasksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/logs/tasks",
  validateSearch: taskSearch,
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/tasks/tasks-page.tsx"), enterArea("tasks")]);
    return page;
  }, "TasksPage"),
});

/** What became of drawings and of other tasks. */
export const taskRoutes = [drawingsRoute, tasksRoute] as const;
