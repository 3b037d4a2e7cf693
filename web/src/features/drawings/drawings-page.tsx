import type { DrawingTask } from "@turnpike/contract/api/task";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { pageOfSearch, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { useIsAdmin } from "../../lib/session.ts";
import { CLEARED, TaskFilters } from "../tasks/task-filters.tsx";
import { dayBefore } from "../tasks/task-range.ts";
import { drawingsQuery } from "./drawings-api.ts";
import { drawingColumns } from "./drawings-columns.tsx";

const DrawingDialog = lazy(async () => ({ default: (await import("./drawing-dialog.tsx")).DrawingDialog }));

const route = getRouteApi("/shell/signed-in/app/logs/drawing");

const DAYS = 30;

/** Drawings and what became of them, of the last thirty days unless others are asked for. */
export function DrawingsPage() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const { page, pageSize } = pageOfSearch(search);
  const firstDay = dayBefore(DAYS, useNowSeconds() * 1000);
  const { id, channel, from = firstDay, to } = search;
  const query = useQuery(drawingsQuery({ all: admin, page, pageSize, id, channel, from, to }));
  const [openedId, setOpenedId] = useState<number>();
  const opened = query.data?.items.find((drawing) => drawing.id === openedId);
  const columns = useMemo(
    () => drawingColumns(t, admin, (drawing: DrawingTask) => setOpenedId(drawing.id)),
    [t, admin],
  );
  return (
    <ListPage title={t("绘图日志")} description={t("绘图任务的进度和图片，失败的任务会退还费用。")}>
      <DataTable
        id={admin ? "drawings-admin" : "drawings"}
        label={t("绘图日志")}
        columns={columns}
        query={query}
        rowId={(drawing) => String(drawing.id)}
        nameOf={(drawing) => drawing.mj_id || String(drawing.id)}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={[id, channel, search.from, to].some((value) => value !== undefined)}
        onClearFilters={() => patch(CLEARED)}
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
          <DrawingDialog drawing={opened} onClose={() => setOpenedId(undefined)} />
        </Suspense>
      )}
    </ListPage>
  );
}
