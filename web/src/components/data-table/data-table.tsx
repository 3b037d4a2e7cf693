import type { Page } from "@turnpike/contract/api/common";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsPhone } from "../../hooks/use-media.ts";
import { describeError } from "../../lib/api-error.ts";
import { cn } from "../../lib/utils.ts";
import { ErrorState, NoMatches } from "../states.tsx";
import { Button } from "../ui/button.tsx";
import { CardList } from "./card-list.tsx";
import { ColumnDialog } from "./column-dialog.tsx";
import type { DataColumn } from "./columns.ts";
import { Pagination } from "./pagination.tsx";
import { rememberPageSize } from "./preferences.ts";
import type { RowAction } from "./row-actions.tsx";
import { TableView } from "./table-view.tsx";
import { useDataTable } from "./use-data-table.ts";

/** What the table needs of a query; TanStack Query's result fits. */
export type PageQuery<Row> = {
  readonly data: Page<Row> | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
};

type DataTableProps<Row> = {
  /** Under which the browser remembers the columns. */
  readonly id: string;
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly query: PageQuery<Row>;
  readonly rowId: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly onPage: (change: { page: number; size?: number }) => void;
  readonly isFiltered: boolean;
  readonly onClearFilters: () => void;
  /** What stands there when the list is empty without any filter. */
  readonly empty: ReactNode;
  readonly toolbar?: ReactNode;
  readonly actionsOf?: (row: Row) => readonly RowAction[];
  /** Makes rows selectable; shown above the rows while some are selected. */
  readonly bulkActions?: (rows: readonly Row[], clear: () => void) => ReactNode;
  readonly parseLogDetails?: (row: Row) => ReactNode;
  readonly rowClassName?: (row: Row) => string | undefined;
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
};

const NO_ROWS: readonly never[] = [];
const NOTHING_SELECTED: ReadonlySet<string> = new Set();
const SKELETON_ROWS_MAX = 20;

function RefreshBar({ active }: { readonly active: boolean }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-0 z-30 h-0.5 overflow-hidden" aria-hidden>
      {active && <div className="h-full w-1/4 bg-primary" style={{ animation: "refresh-bar 1s linear infinite" }} />}
    </div>
  );
}

function StaleNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <p
      role="alert"
      className="flex flex-wrap items-center gap-2 rounded-lg bg-destructive-soft px-3 py-1.5 text-[13px] text-destructive"
    >
      {t("刷新失败，显示的是之前的数据：{{reason}}", { reason: describeError(error, t) })}
      <Button variant="link" size="inline" className="text-destructive" onClick={onRetry}>
        {t("重试")}
      </Button>
    </p>
  );
}

function useExpanded(): [ReadonlySet<string>, (id: string) => void] {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  return [
    expanded,
    (id) => {
      const next = new Set(expanded);
      if (!next.delete(id)) next.add(id);
      setExpanded(next);
    },
  ];
}

/** A page that vanished (its rows were deleted) leads to the last one that is there. */
function useLastPage<Row>({ query, page, pageSize, onPage }: DataTableProps<Row>): void {
  const { data, isFetching } = query;
  useEffect(() => {
    if (!data || isFetching || data.items.length > 0 || page === 1) return;
    onPage({ page: Math.max(1, Math.ceil(data.total / pageSize)) });
  }, [data, isFetching, page, pageSize, onPage]);
}

/** The rows, or what there is to say when there are none. */
function TableBody<Row>(
  props: DataTableProps<Row> & { readonly view: Omit<Parameters<typeof TableView<Row>>[0], "pending"> },
) {
  const { query, isFiltered, onClearFilters, empty, view } = props;
  const isPhone = useIsPhone();
  const pending = query.isPending;
  if (query.error && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!pending && query.data?.items.length === 0) {
    return isFiltered ? <NoMatches onClear={onClearFilters} /> : <>{empty}</>;
  }
  const View = isPhone ? CardList : TableView;
  return <View {...view} pending={pending} />;
}

/** The one table of the console: server paging, remembered columns and page size, cards on a phone, and every state said. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { id, label, columns, query, rowId, page, pageSize, onPage, toolbar, bulkActions } = props;
  const isPhone = useIsPhone();
  const [selection, setSelection] = useState<ReadonlySet<string>>(NOTHING_SELECTED);
  const [expanded, onExpand] = useExpanded();
  const table = useDataTable({
    id,
    columns,
    rows: query.data?.items ?? NO_ROWS,
    rowId,
    selection,
    onSelectionChange: setSelection,
  });
  useLastPage(props);
  const { selectedRows } = table;
  const { nameOf, actionsOf, parseLogDetails, rowClassName, sort, onSort } = props;
  const view = {
    table,
    columns,
    label,
    nameOf,
    actionsOf,
    parseLogDetails,
    rowClassName,
    sort,
    onSort,
    expanded,
    onExpand,
    selectable: bulkActions !== undefined,
    skeletonRows: Math.min(pageSize, SKELETON_ROWS_MAX),
  };
  const clear = (): void => setSelection(NOTHING_SELECTED);
  return (
    <div className="flex min-h-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {toolbar}
        <div className="ml-auto max-sm:hidden">
          <ColumnDialog choices={table.choices} />
        </div>
      </div>
      {selectedRows.length > 0 && bulkActions && (
        <SelectionBar count={selectedRows.length} onClear={clear}>
          {bulkActions(selectedRows, clear)}
        </SelectionBar>
      )}
      {query.error !== null && query.data !== undefined && (
        <StaleNotice error={query.error} onRetry={() => void query.refetch()} />
      )}
      <div className="relative flex min-h-0 flex-col">
        <RefreshBar active={query.isFetching && !query.isPending} />
        <div className={cn("min-h-0", !isPhone && "overflow-auto rounded-lg border")} tabIndex={-1}>
          <TableBody {...props} view={view} />
        </div>
      </div>
      {query.data !== undefined && query.data.total > 0 && (
        <Pagination
          page={page}
          pageSize={pageSize}
          total={query.data.total}
          onPage={(next) => {
            clear();
            onPage({ page: next });
          }}
          onPageSize={(size) => {
            rememberPageSize(size);
            clear();
            onPage({ page: 1, size });
          }}
        />
      )}
    </div>
  );
}

type SelectionBarProps = { readonly count: number; readonly onClear: () => void; readonly children: ReactNode };

function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const { t } = useTranslation();
  return (
    <div
      role="toolbar"
      aria-label={t("批量操作")}
      className="flex flex-wrap items-center gap-2 rounded-lg border border-primary/60 bg-selected px-3 py-1.5"
    >
      <span className="text-[13px] font-medium">{t("已选 {{count}} 项", { count })}</span>
      <div className="flex flex-wrap gap-2">{children}</div>
      <Button variant="ghost" size="sm" className="ml-auto" onClick={onClear}>
        {t("取消选择")}
      </Button>
    </div>
  );
}
