import type { RowData } from "@tanstack/react-table";
import type { ReactNode, RefObject } from "react";
import type { RowAction } from "./actions/row-action.ts";
import type { TableInstance, TableRowModel } from "./table-features.ts";

/** What a table is shown with, as a table or as cards. */
export type ViewProps<Data extends RowData> = {
  readonly table: TableInstance<Data>;
  readonly label: string;
  readonly getRowName: (row: Data) => string;
  readonly getRowActions?: ((row: Data) => readonly RowAction[]) | undefined;
  readonly selectable: boolean;
  /** Accessible name of the checkbox that selects all rows. */
  readonly selectAllLabel: string;
  readonly renderDetails?: ((row: Data) => ReactNode) | undefined;
  readonly getRowClassName?: ((row: Data) => string | undefined) | undefined;
  readonly skeletonRows: number;
  readonly pending: boolean;
  readonly className?: string | undefined;
};

/** The rows of a long table, and what scrolls them. */
export type VirtualRowsProps<Data extends RowData> = ViewProps<Data> & {
  readonly rows: readonly TableRowModel<Data>[];
  readonly span: number;
  readonly scroller: RefObject<HTMLDivElement | null>;
};
