import {
  columnVisibilityFeature,
  type ColumnDef,
  rowSelectionFeature,
  type RowSelectionState,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import type { DataColumn } from "./columns.ts";
import { useColumnVisibility } from "./preferences.ts";

// The server sorts, filters and pages: the browser only hides columns and marks rows.
const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature });

// The table's row type must be a record; the cast-free way is to carry our row inside one.
type Carried<Row> = { readonly row: Row };

type Options<Row> = {
  readonly id: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly selection: RowSelectionState;
  readonly onSelectionChange: (selection: RowSelectionState) => void;
};

/** TanStack Table set up the house's way, with remembered column visibility. */
export function useDataTable<Row>({ id, columns, rows, rowId, selection, onSelectionChange }: Options<Row>) {
  const defaults = useMemo(
    () => Object.fromEntries(columns.filter(({ startsHidden }) => startsHidden === true).map((c) => [c.id, false])),
    [columns],
  );
  const [visibility, setVisibility] = useColumnVisibility(id, defaults);
  const definitions = useMemo(
    () =>
      columns.map((column): ColumnDef<typeof features, Carried<Row>> => ({
        id: column.id,
        header: column.label,
        enableHiding: column.fixed !== true,
        cell: (context) => column.cell(context.row.original.row),
      })),
    [columns],
  );
  const data = useMemo(() => rows.map((row) => ({ row })), [rows]);
  return useTable({
    features,
    columns: definitions,
    data,
    getRowId: ({ row }) => rowId(row),
    state: { columnVisibility: visibility, rowSelection: selection },
    onColumnVisibilityChange: (update) => setVisibility(typeof update === "function" ? update(visibility) : update),
    onRowSelectionChange: (update) => onSelectionChange(typeof update === "function" ? update(selection) : update),
  });
}

export type HouseTable<Row> = ReturnType<typeof useDataTable<Row>>;
