import type { GenericTask } from "@turnpike/contract/api/task";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { toPage, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { useIsAdmin } from "../../lib/session/session.ts";
import { NO_FILTERS, TaskFilters } from "./task-filters.tsx";
import { dayBefore } from "./task-range.ts";
import { tasksQuery } from "./tasks-api.ts";
import { taskColumns } from "./tasks-columns.tsx";

const TaskDialog = lazy(async () => ({ default: (await import("./task-dialog.tsx")).TaskDialog }));

const route = getRouteApi("/shell/signed-in/app/logs/tasks");

/** Music and other tasks, from today on unless other days are selected. */
export function TasksPage() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = toPage(search);
  const firstDay = dayBefore(0, useNowSeconds() * 1000);
  const { id, channel, from = firstDay, to } = search;
  const query = useQuery(tasksQuery({ all: admin, page, pageSize, id, channel, from, to }));
  const [openedId, setOpenedId] = useState<number>();
  const opened = query.data?.items.find((task) => task.id === openedId);
  const columns = useMemo(() => taskColumns(t, admin, (task: GenericTask) => setOpenedId(task.id)), [t, admin]);
  return (
    <ListPage title={t("任务日志")} description={t("音乐等异步任务的进度和结果，失败的任务会退还费用。")}>
      <DataTable
        id={admin ? "tasks-admin" : "tasks"}
        label={t("任务日志")}
        columns={columns}
        query={query}
        getRowId={(task) => String(task.id)}
        getRowName={(task) => task.task_id || String(task.id)}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={[id, channel, search.from, to].some((value) => value !== undefined)}
        onClearFilters={() => patch(NO_FILTERS)}
        empty={<EmptyState text={t("今天还没有任务。可以在上方选择更早的日期。")} />}
        toolbar={
          <TaskFilters
            search={search}
            firstDay={firstDay}
            admin={admin}
            onChange={patch}
            onRefresh={() => void query.refetch()}
          />
        }
      />
      {opened && (
        <Suspense>
          <TaskDialog task={opened} onClose={() => setOpenedId(undefined)} />
        </Suspense>
      )}
    </ListPage>
  );
}
