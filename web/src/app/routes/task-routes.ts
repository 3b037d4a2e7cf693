import { createRoute } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { daySearch, createSearchParser, textSearch, wholeSearch } from "../../lib/text/search.ts";
import { signedInRoute } from "./areas.ts";
import { lazyPage } from "./lazy-page.ts";

const taskSearch = createSearchParser({
  ...listSearch,
  id: textSearch,
  channel: wholeSearch(1),
  from: daySearch,
  to: daySearch,
});

const imageTasksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/logs/drawing",
  validateSearch: taskSearch,
  component: lazyPage("tasks", () => import("../../features/tasks/image-tasks/image-tasks-page.tsx"), "ImageTasksPage"),
});

const tasksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/logs/tasks",
  validateSearch: taskSearch,
  component: lazyPage("tasks", () => import("../../features/tasks/tasks-page.tsx"), "TasksPage"),
});

/** Image tasks and other tasks. */
export const taskRoutes = [imageTasksRoute, tasksRoute] as const;
