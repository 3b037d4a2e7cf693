import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { loadAreaTexts } from "../../lib/i18n.ts";
import { daySearch, createSearchParser, textSearch, wholeSearch } from "../../lib/search.ts";
import { signedInRoute } from "./areas.ts";

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
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([
      import("../../features/tasks/image-tasks/image-tasks-page.tsx"),
      loadAreaTexts("tasks"),
    ]);
    return page;
  }, "ImageTasksPage"),
});

const tasksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/logs/tasks",
  validateSearch: taskSearch,
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/tasks/tasks-page.tsx"), loadAreaTexts("tasks")]);
    return page;
  }, "TasksPage"),
});

/** What became of image tasks and of other tasks. */
export const taskRoutes = [imageTasksRoute, tasksRoute] as const;
