import type { RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { BrowserTable, type BrowserTableProps } from "./browser-table.tsx";
import { ServerTable, type ServerTableProps } from "./server-table.tsx";

/** Either a list of the server (`query`), or rows that are all in the browser (`rows`). */
export type DataTableProps<Row extends RowData> = ServerTableProps<Row> | BrowserTableProps<Row>;

/** The table of the console: lists, prices, statements. Both kinds have the same columns, cells, cards and row actions. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>): ReactNode {
  return "query" in props ? <ServerTable {...props} /> : <BrowserTable {...props} />;
}
