import type { RowData } from "@tanstack/react-table";
import type { Page } from "@turnpike/contract/api/common";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useIsPhone } from "../../hooks/use-media.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { ErrorState, NoMatches } from "../states.tsx";
import { Button } from "../ui/button.tsx";
import { CardList } from "./card-list.tsx";
import { ColumnButton } from "./columns/column-button.tsx";
import type { DataColumn } from "./columns/columns.ts";
import { Pagination } from "./pagination.tsx";
import { rememberPageSize } from "./page-size.ts";
import type { RowAction } from "./actions/row-action.ts";
import type { TableInstance } from "./table-features.ts";
import { TableView } from "./table-view.tsx";
import type { ViewProps } from "./view-props.ts";
import { ViewsButton } from "./views/views-button.tsx";
import { useTableInstance } from "./use-table-instance.ts";

/** The parts of a query result that the table uses; TanStack Query's result has them. */
export type PageQuery<Row> = {
  readonly data: Page<Row> | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
};

export type ServerTableProps<Row extends RowData> = {
  /** Key under which the browser stores the columns. */
  readonly id: string;
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly query: PageQuery<Row>;
  readonly getRowId: (row: Row) => string;
  readonly getRowName: (row: Row) => string;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly onPage: (change: { page: number; size?: number }) => void;
  readonly isFiltered: boolean;
  readonly onClearFilters: () => void;
  /** Shown where the filters match nothing, in place of the usual sentence. */
  readonly noMatches?: string | undefined;
  /** Shown in place of the rows when the unfiltered list is empty. */
  readonly empty: ReactNode;
  readonly toolbar?: ReactNode;
  readonly getRowActions?: (row: Row) => readonly RowAction[];
  /** Makes rows selectable; shown above the rows while some are selected. */
  readonly bulkActions?: (rows: readonly Row[], clear: () => void) => ReactNode;
  /** Makes rows expandable. */
  readonly renderDetails?: (row: Row) => ReactNode;
  /** The row that opens by itself once it is there: the one that an address names. */
  readonly openRowId?: string | undefined;
  readonly getRowClassName?: (row: Row) => string | undefined;
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
};

const NO_ROWS: readonly never[] = [];
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

/** A page that no longer exists (its rows were deleted) redirects to the last page. */
function useLastPage<Row extends RowData>({ query, page, pageSize, onPage }: ServerTableProps<Row>): void {
  const { data, isFetching } = query;
  useEffect(() => {
    if (!data || isFetching || data.items.length > 0 || page === 1) return;
    onPage({ page: Math.max(1, Math.ceil(data.total / pageSize)) });
  }, [data, isFetching, page, pageSize, onPage]);
}

/** Opens the details of a row when it appears; the user may close them. */
function useOpenRow<Row extends RowData>(table: TableInstance<Row>, rowId: string | undefined): void {
  useEffect(() => {
    if (rowId !== undefined) table.setExpanded({ [rowId]: true });
    // The table is a new object in every render; only another row opens again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rowId]);
}

/** The rows, or the message when there are none. */
function Body<Row extends RowData>(props: ServerTableProps<Row> & { readonly view: ViewProps<Row> }) {
  const { query, isFiltered, onClearFilters, noMatches, empty, view } = props;
  const isPhone = useIsPhone();
  const frame = isPhone ? undefined : "rounded-lg border";
  if (query.error && !query.data)
    return (
      <div className={frame}>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  if (!query.isPending && query.data?.items.length === 0)
    return <div className={frame}>{isFiltered ? <NoMatches text={noMatches} onClear={onClearFilters} /> : empty}</div>;
  const View = isPhone ? CardList : TableView;
  return <View {...view} />;
}

type ToolbarProps<Row extends RowData> = {
  readonly tableId: string;
  readonly table: TableInstance<Row>;
  readonly children: ReactNode;
};

function Toolbar<Row extends RowData>({ tableId, table, children }: ToolbarProps<Row>) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {children}
      <div className="ml-auto flex gap-2">
        <ViewsButton tableId={tableId} table={table} />
        <div className="max-sm:hidden">
          <ColumnButton table={table} />
        </div>
      </div>
    </div>
  );
}

/**
 * The table of a list. The server pages, sorts and filters by the address; the browser stores columns and page size, and
 * shows cards on a phone.
 */
export function ServerTable<Row extends RowData>(props: ServerTableProps<Row>) {
  const { id, label, columns, query, getRowId, page, pageSize, onPage, toolbar, bulkActions, sort, onSort } = props;
  const { t } = useTranslation();
  const table = useTableInstance({
    id,
    columns,
    rows: query.data?.items ?? NO_ROWS,
    getRowId,
    sorting: { by: "server", sort, onSort },
    canExpand: props.renderDetails !== undefined,
  });
  useLastPage(props);
  useOpenRow(table, props.openRowId);
  const selectedRows = table.getSelectedRowModel().rows.map(({ original }) => original);
  const clear = (): void => table.resetRowSelection(true);
  const view: ViewProps<Row> = {
    table,
    label,
    getRowName: props.getRowName,
    getRowActions: props.getRowActions,
    renderDetails: props.renderDetails,
    getRowClassName: props.getRowClassName,
    selectable: bulkActions !== undefined,
    selectAllLabel: t("选择本页全部"),
    skeletonRows: Math.min(pageSize, SKELETON_ROWS_MAX),
    pending: query.isPending,
    className: "rounded-lg border",
  };
  return (
    <div className="flex min-h-0 flex-col gap-3">
      <Toolbar tableId={id} table={table}>
        {toolbar}
      </Toolbar>
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
        <Body {...props} view={view} />
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
