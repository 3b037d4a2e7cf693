import {
  type ColumnDef,
  type ColumnSort,
  functionalUpdate,
  type PaginationState,
  type RowData,
  type RowSelectionState,
  type SortingState,
  type Updater,
  useTable,
} from "@tanstack/react-table";
import { useMemo, useState } from "react";
import type { DataColumn } from "./columns/columns.ts";
import { useColumnPreferences } from "./preferences.ts";
import { features, type TableInstance, type TableRowModel } from "./table-features.ts";

/** Who sorts and pages: the server, with the order in the address, or the browser, which has all rows. */
export type Sorting =
  | { readonly by: "server"; readonly sort: string | undefined; readonly onSort: ((sort: string) => void) | undefined }
  | { readonly by: "browser" };

/** The selected rows by their ids. */
export type Selection = {
  readonly selected: RowSelectionState;
  readonly onSelect: (selected: RowSelectionState) => void;
};

type TableOptions<Data extends RowData> = {
  /** Key under which the browser stores the columns; absent when they are fixed. */
  readonly id: string | undefined;
  readonly columns: readonly DataColumn<Data>[];
  readonly rows: readonly Data[];
  readonly getRowId: (row: Data) => string;
  readonly sorting: Sorting;
  /** Absent when every row is shown. */
  readonly pagination?: PaginationState | undefined;
  readonly canExpand: boolean;
  /** Holder of the selection; by default the table. */
  readonly selection?: Selection | undefined;
};

const toText = (value: unknown): string => (typeof value === "string" ? value : "");

/** Numbers by value, all other values as text in the user's language. */
function compareCells<Data extends RowData>(a: TableRowModel<Data>, b: TableRowModel<Data>, columnId: string): number {
  const [first, second] = [a.getValue(columnId), b.getValue(columnId)];
  if (typeof first === "number" && typeof second === "number") return first - second;
  return toText(first).localeCompare(toText(second));
}

function toColumnDefs<Data extends RowData>(
  columns: readonly DataColumn<Data>[],
  sorting: Sorting,
): ColumnDef<typeof features, Data>[] {
  const isServer = sorting.by === "server";
  const serverSorts = isServer && sorting.onSort !== undefined;
  return columns.map(({ id, cell, value, sortKey, ...meta }) => ({
    id,
    header: meta.label,
    accessorFn: (row: Data) => value?.(row),
    cell: ({ row }) => cell(row.original),
    enableHiding: meta.fixed !== true,
    enableSorting: isServer ? serverSorts && sortKey !== undefined : value !== undefined,
    sortFn: compareCells,
    sortUndefined: "last",
    meta,
  }));
}

/** The table's sorting state and its change handler. The server sorts each key in one direction, descending. */
function useSorting<Data extends RowData>(
  columns: readonly DataColumn<Data>[],
  sorting: Sorting,
): [SortingState, (updater: Updater<SortingState>) => void] {
  const [local, setLocal] = useState<SortingState>([]);
  const sort = sorting.by === "server" ? sorting.sort : undefined;
  const server = useMemo((): ColumnSort[] => {
    const id = sort === undefined ? undefined : columns.find(({ sortKey }) => sortKey === sort)?.id;
    return id === undefined ? [] : [{ id, desc: true }];
  }, [columns, sort]);
  if (sorting.by === "browser") return [local, setLocal];
  return [
    server,
    (updater) => {
      const [next] = functionalUpdate(updater, server);
      const key = columns.find(({ id }) => id === next?.id)?.sortKey;
      if (key !== undefined) sorting.onSort?.(key);
    },
  ];
}

const EVERY_ROW: PaginationState = { pageIndex: 0, pageSize: Number.MAX_SAFE_INTEGER };

/** The table's state and row models by TanStack Table; the views render them. */
export function useTableInstance<Data extends RowData>(options: TableOptions<Data>): TableInstance<Data> {
  const { id, columns, rows, getRowId, sorting, pagination, canExpand } = options;
  const preferences = useColumnPreferences(id, columns);
  const [ownSelection, setOwnSelection] = useState<RowSelectionState>({});
  const { selected, onSelect } = options.selection ?? { selected: ownSelection, onSelect: setOwnSelection };
  const [sortingState, setSorting] = useSorting(columns, sorting);
  const serverSorts = sorting.by === "server" && sorting.onSort !== undefined;
  const columnDefs = useMemo(
    () => toColumnDefs(columns, sorting),
    // Columns depend only on who sorts; the handlers of the sorting object are new in every render.
    // oxlint-disable-next-line react/exhaustive-deps
    [columns, sorting.by, serverSorts],
  );
  return useTable({
    features,
    columns: columnDefs,
    data: rows,
    getRowId,
    getRowCanExpand: () => canExpand,
    manualSorting: sorting.by === "server",
    manualPagination: pagination === undefined,
    enableSortingRemoval: sorting.by === "browser",
    enableMultiSort: false,
    autoResetPageIndex: false,
    autoResetExpanded: false,
    onSortingChange: setSorting,
    onRowSelectionChange: (updater) => onSelect(functionalUpdate(updater, selected)),
    onColumnVisibilityChange: preferences.setVisibility,
    onColumnOrderChange: preferences.setOrder,
    state: {
      sorting: sortingState,
      rowSelection: selected,
      columnVisibility: preferences.visibility,
      columnOrder: preferences.order,
      pagination: pagination ?? EVERY_ROW,
    },
  });
}
