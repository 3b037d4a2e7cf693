import type { ColumnChoice } from "./column-dialog.tsx";
import type { DataColumn } from "./columns.ts";
import { useColumnVisibility } from "./preferences.ts";

/** A row as the views show it. */
export type TableRow<Row> = { readonly id: string; readonly row: Row; readonly isSelected: boolean };

type Options<Row> = {
  readonly id: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly selection: ReadonlySet<string>;
  readonly onSelectionChange: (selection: ReadonlySet<string>) => void;
};

const startsHidden = <Row>(columns: readonly DataColumn<Row>[]): Record<string, boolean> =>
  Object.fromEntries(columns.filter((column) => column.startsHidden === true).map(({ id }) => [id, false]));

/**
 * What the browser itself does for a table: hides columns, which it remembers, and marks rows. The server sorts, filters and pages.
 * Only rows of the page shown count as selected.
 */
export function useDataTable<Row>({ id, columns, rows, rowId, selection, onSelectionChange }: Options<Row>) {
  const [visibility, setVisibility] = useColumnVisibility(id, startsHidden(columns));
  const isShown = (column: DataColumn<Row>): boolean => column.fixed === true || visibility[column.id] !== false;
  const tableRows = rows.map((row): TableRow<Row> => {
    const one = rowId(row);
    return { id: one, row, isSelected: selection.has(one) };
  });
  const selected = tableRows.filter(({ isSelected }) => isSelected);
  return {
    shownColumns: columns.filter(isShown),
    choices: columns.map((column): ColumnChoice => ({
      id: column.id,
      label: column.label,
      isShown: isShown(column),
      isFixed: column.fixed === true,
      onShow: (shown) => setVisibility({ ...visibility, [column.id]: shown }),
    })),
    rows: tableRows,
    selectedRows: selected.map(({ row }) => row),
    /** Whether all rows of the page are selected, or only some. */
    allSelected: selected.length === 0 ? false : selected.length === tableRows.length ? true : "indeterminate",
    selectAll: (wanted: boolean): void => onSelectionChange(new Set(wanted ? tableRows.map((row) => row.id) : [])),
    select: (one: string, wanted: boolean): void => {
      const next = new Set(selection);
      if (wanted) next.add(one);
      else next.delete(one);
      onSelectionChange(next);
    },
  } as const;
}

export type DataTableState<Row> = ReturnType<typeof useDataTable<Row>>;
