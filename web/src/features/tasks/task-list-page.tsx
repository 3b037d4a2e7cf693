import type { Page } from "@turnpike/contract/api/common";
import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { type ComponentType, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { toPage, usePatchSearch } from "../../components/data-table/use-list-search.ts";
import { ListPage } from "../../components/list-page.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { useIsAdmin } from "../../lib/session/session.ts";
import type { TaskListPart } from "./task-list-query.ts";
import { NO_FILTERS, TaskFilters, type TaskSearch } from "./task-filters.tsx";
import { dayBefore } from "./task-range.ts";

type TaskListPageProps<Task> = {
  /** Under which the browser stores the columns. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly emptyText: string;
  readonly search: TaskSearch & { readonly page?: number | undefined; readonly size?: number | undefined };
  /** How many days before today the list begins, unless other days are selected. */
  readonly days: number;
  readonly createQuery: (part: TaskListPart) => UseQueryOptions<Page<Task>>;
  readonly createColumns: (t: TFunction, admin: boolean, onOpen: (task: Task) => void) => readonly DataColumn<Task>[];
  /** The provider's id of a task; "" if it has none. */
  readonly getTaskId: (task: Task) => string;
  readonly Details: ComponentType<{ readonly task: Task; readonly onClose: () => void }>;
};

/** The list of one kind of tasks, with filters and the details of a task. */
export function TaskListPage<Task extends { readonly id: number }>(props: TaskListPageProps<Task>) {
  const { id: tableId, title, description, emptyText, search, days, createQuery, createColumns, getTaskId } = props;
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const patch = usePatchSearch<TaskListPageProps<Task>["search"]>();
  const { page, pageSize } = toPage(search);
  const firstDay = dayBefore(days, useNowSeconds() * 1000);
  const { id, channel, from = firstDay, to } = search;
  const query = useQuery(createQuery({ all: admin, page, pageSize, id, channel, from, to }));
  const [openedId, setOpenedId] = useState<number>();
  const opened = query.data?.items.find((task) => task.id === openedId);
  const columns = useMemo(
    () => createColumns(t, admin, (task: Task) => setOpenedId(task.id)),
    [createColumns, t, admin],
  );
  return (
    <ListPage title={title} description={description}>
      <DataTable
        id={admin ? `${tableId}-admin` : tableId}
        label={title}
        columns={columns}
        query={query}
        getRowId={(task) => String(task.id)}
        getRowName={(task) => getTaskId(task) || String(task.id)}
        page={page}
        pageSize={pageSize}
        onPage={patch}
        isFiltered={[id, channel, search.from, to].some((value) => value !== undefined)}
        onClearFilters={() => patch(NO_FILTERS)}
        empty={<EmptyState text={emptyText} />}
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
          <props.Details task={opened} onClose={() => setOpenedId(undefined)} />
        </Suspense>
      )}
    </ListPage>
  );
}
