import type { ImageTask } from "@turnpike/contract/api/task";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../../components/data-table/data-table.tsx";
import { toPage, usePatchSearch } from "../../../components/data-table/use-list-search.ts";
import { ListPage } from "../../../components/list-page.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { useNowSeconds } from "../../../hooks/use-now.ts";
import { useIsAdmin } from "../../../lib/session/session.ts";
import { NO_FILTERS, TaskFilters } from "../task-filters.tsx";
import { dayBefore } from "../task-range.ts";
import { imageTasksQuery } from "./image-tasks-api.ts";
import { imageTaskColumns } from "./image-tasks-columns.tsx";

const ImageTaskDialog = lazy(async () => ({ default: (await import("./image-task-dialog.tsx")).ImageTaskDialog }));

const route = getRouteApi("/shell/signed-in/app/logs/drawing");

const DAYS = 30;

/** Image tasks and their results, of the last 30 days unless other days are selected. */
export function ImageTasksPage() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = toPage(search);
  const firstDay = dayBefore(DAYS, useNowSeconds() * 1000);
  const { id, channel, from = firstDay, to } = search;
  const query = useQuery(imageTasksQuery({ all: admin, page, pageSize, id, channel, from, to }));
  const [openedId, setOpenedId] = useState<number>();
  const opened = query.data?.items.find((imageTask) => imageTask.id === openedId);
  const columns = useMemo(
    () => imageTaskColumns(t, admin, (imageTask: ImageTask) => setOpenedId(imageTask.id)),
    [t, admin],
  );
  return (
    <ListPage title={t("绘图日志")} description={t("绘图任务的进度和图片，失败的任务会退还费用。")}>
      <DataTable
        id={admin ? "drawings-admin" : "drawings"}
        label={t("绘图日志")}
        columns={columns}
        query={query}
        getRowId={(imageTask) => String(imageTask.id)}
        getRowName={(imageTask) => imageTask.mj_id || String(imageTask.id)}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={[id, channel, search.from, to].some((value) => value !== undefined)}
        onClearFilters={() => patch(NO_FILTERS)}
        empty={<EmptyState text={t("最近 30 天没有绘图任务。")} />}
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
          <ImageTaskDialog imageTask={opened} onClose={() => setOpenedId(undefined)} />
        </Suspense>
      )}
    </ListPage>
  );
}
