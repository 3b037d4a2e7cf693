import type { PaginationState, RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useIsPhone } from "../../hooks/use-media.ts";
import { CardList } from "./card-list.tsx";
import type { DataColumn } from "./columns/columns.ts";
import type { RowAction } from "./actions/row-action.ts";
import { TableView } from "./table-view.tsx";
import { type Selection, useTableInstance } from "./use-table-instance.ts";

export type BrowserTableProps<Data extends RowData> = {
  readonly label: string;
  readonly columns: readonly DataColumn<Data>[];
  readonly rows: readonly Data[];
  readonly getRowId: (row: Data) => string;
  /** Shows one page of the rows. Sorting and "select all" cover all rows. */
  readonly pagination?: PaginationState;
  readonly getRowName?: (row: Data) => string;
  readonly getRowActions?: (row: Data) => readonly RowAction[];
  /** Makes rows selectable. */
  readonly selection?: Selection & { readonly selectAllLabel: string };
  readonly getRowClassName?: (row: Data) => string | undefined;
  /** Whether a phone shows cards; a table of few narrow columns stays a table. */
  readonly cards?: boolean;
  readonly className?: string;
};

const BROWSER = { by: "browser" } as const;

/** The table of rows that are all in the browser: sorted there, virtual above 100 rows, cards on a phone. */
export function BrowserTable<Data extends RowData>(props: BrowserTableProps<Data>): ReactNode {
  const { columns, rows, getRowId, pagination, getRowName = getRowId, selection, cards = true, ...look } = props;
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const table = useTableInstance({
    id: undefined,
    columns,
    rows,
    getRowId,
    sorting: BROWSER,
    pagination,
    canExpand: false,
    selection,
  });
  const View = isPhone && cards ? CardList : TableView;
  return (
    <View
      {...look}
      table={table}
      getRowName={getRowName}
      selectable={selection !== undefined}
      selectAllLabel={selection?.selectAllLabel ?? t("选择本页全部")}
      skeletonRows={0}
      pending={false}
    />
  );
}
