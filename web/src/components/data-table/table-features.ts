import {
  type Cell,
  columnOrderingFeature,
  columnVisibilityFeature,
  createPaginatedRowModel,
  createSortedRowModel,
  metaHelper,
  type ReactTable,
  type Row,
  rowExpandingFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  type RowData,
  tableFeatures,
} from "@tanstack/react-table";
import type { ReactNode } from "react";
import type { DataColumn } from "./columns/columns.ts";

/** Properties of a column that the views read, besides its cells. */
export type ColumnMeta = Omit<DataColumn<never>, "id" | "cell" | "value" | "sortKey">;

/** The features of TanStack Table that the console's tables use. */
export const features = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  rowExpandingFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
  columnMeta: metaHelper<ColumnMeta>(),
});

/**
 * The content of a cell. The template is called, not rendered as a component: a new list of columns must not remount inputs and
 * open menus in the cells.
 */
export function renderCell<Data extends RowData>(cell: Cell<typeof features, Data>): ReactNode {
  const template = cell.column.columnDef.cell;
  return typeof template === "function" ? template(cell.getContext()) : template;
}

export type TableInstance<Data extends RowData> = ReactTable<typeof features, Data>;
export type TableRowModel<Data extends RowData> = Row<typeof features, Data>;
