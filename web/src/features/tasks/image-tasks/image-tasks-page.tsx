import { getRouteApi } from "@tanstack/react-router";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { TaskListPage } from "../task-list-page.tsx";
import { imageTasksQuery } from "./image-tasks-api.ts";
import { imageTaskColumns } from "./image-tasks-columns.tsx";

const ImageTaskDialog = lazy(async () => ({ default: (await import("./image-task-dialog.tsx")).ImageTaskDialog }));

const route = getRouteApi("/shell/signed-in/app/logs/drawing");

const DAYS = 30;

/** Image tasks and their results, of the last 30 days unless other days are selected. */
export function ImageTasksPage() {
  const { t } = useTranslation();
  return (
    <TaskListPage
      id="drawings"
      title={t("绘图日志")}
      description={t("绘图任务的进度和图片，失败的任务会退还费用。")}
      emptyText={t("最近 30 天没有绘图任务。")}
      search={route.useSearch()}
      days={DAYS}
      createQuery={imageTasksQuery}
      createColumns={imageTaskColumns}
      getTaskId={(task) => task.mj_id}
      Details={ImageTaskDialog}
    />
  );
}
