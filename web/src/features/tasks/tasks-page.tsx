import { getRouteApi } from "@tanstack/react-router";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { TaskListPage } from "./task-list-page.tsx";
import { tasksQuery } from "./tasks-api.ts";
import { taskColumns } from "./tasks-columns.tsx";

const TaskDialog = lazy(async () => ({ default: (await import("./task-dialog.tsx")).TaskDialog }));

const route = getRouteApi("/shell/signed-in/app/logs/tasks");

/** Music and other tasks, from today on unless other days are selected. */
export function TasksPage() {
  const { t } = useTranslation();
  return (
    <TaskListPage
      id="tasks"
      title={t("任务日志")}
      description={t("音乐等异步任务的进度和结果，失败的任务会退还费用。")}
      emptyText={t("今天还没有任务。可以在上方选择更早的日期。")}
      search={route.useSearch()}
      days={0}
      createQuery={tasksQuery}
      createColumns={taskColumns}
      getTaskId={(task) => task.task_id}
      Details={TaskDialog}
    />
  );
}
