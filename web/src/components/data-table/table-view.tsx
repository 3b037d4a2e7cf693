import type { RowData } from "@tanstack/react-table";
import { type ReactNode, type RefObject, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/utils.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TableBody, TableCell, TableHead, TableHeader, TableRow } from "../ui/table.tsx";
import { ColumnHeader } from "./column-header.tsx";
import type { RowAction } from "./row-actions.tsx";
import type { TableInstance } from "./table-features.ts";
import { cellClasses, TableLine } from "./table-line.tsx";
import { useVirtualRows, VIRTUAL_ABOVE } from "./use-virtual-rows.ts";

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

const headClasses = "sticky top-0 z-10 border-b bg-surface";

/** Cells of a row besides those of its columns: checkbox, expand button, actions. */
const countCells = <Data extends RowData>(props: ViewProps<Data>): number =>
  props.table.getVisibleLeafColumns().length +
  Number(props.selectable) +
  Number(props.renderDetails !== undefined) +
  Number(props.getRowActions !== undefined);

function Head<Data extends RowData>({
  table,
  selectable,
  selectAllLabel,
  renderDetails,
  getRowActions,
}: ViewProps<Data>) {
  const { t } = useTranslation();
  const isSome = table.getIsSomeRowsSelected();
  return (
    <TableHeader>
      <TableRow className="border-0 hover:bg-transparent">
        {selectable && (
          <TableHead className={cn(headClasses, "w-9 pr-0")}>
            <Checkbox
              aria-label={selectAllLabel}
              checked={table.getIsAllRowsSelected() ? true : isSome ? "indeterminate" : false}
              onCheckedChange={(checked) => table.toggleAllRowsSelected(checked === true)}
            />
          </TableHead>
        )}
        {renderDetails && (
          <TableHead className={cn(headClasses, "w-8 pr-0 pl-2")}>
            <span className="sr-only">{t("展开")}</span>
          </TableHead>
        )}
        {table.getVisibleLeafColumns().map((column) => (
          <ColumnHeader key={column.id} column={column} className={headClasses} />
        ))}
        {getRowActions && (
          <TableHead className={cn(headClasses, "right-0 z-20 w-px")}>
            <span className="sr-only">{t("操作")}</span>
          </TableHead>
        )}
      </TableRow>
    </TableHeader>
  );
}

function SkeletonRows<Data extends RowData>(props: ViewProps<Data>) {
  const cells = countCells(props);
  return (
    <TableBody>
      {Array.from({ length: props.skeletonRows }, (_, row) => (
        <TableRow key={row} className="border-0 hover:bg-transparent">
          {Array.from({ length: cells }, (__, cell) => (
            <TableCell key={cell} className={cellClasses}>
              <Skeleton className="h-4 w-full max-w-28" />
            </TableCell>
          ))}
        </TableRow>
      ))}
    </TableBody>
  );
}

/** Rows that are not rendered, as one row of their height. */
function Gap({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden>
      <tr>
        <td colSpan={span} style={{ height }} className="p-0" />
      </tr>
    </tbody>
  );
}

function Rows<Data extends RowData>({
  scroller,
  ...props
}: ViewProps<Data> & { readonly scroller: RefObject<HTMLDivElement | null> }) {
  const { rows } = props.table.getRowModel();
  const span = countCells(props);
  const virtual = useVirtualRows(rows.length, scroller, (index) => rows[index]?.id ?? String(index));
  if (!virtual)
    return (
      <TableBody>
        {rows.map((row) => (
          <TableLine key={row.id} {...props} row={row} span={span} />
        ))}
      </TableBody>
    );
  return (
    <>
      <Gap height={virtual.before} span={span} />
      {virtual.items.map(({ key, index }) => {
        const row = rows[index];
        return (
          row && (
            // A body of its own for each row: it is measured together with its details.
            <TableBody key={key} data-index={index} ref={virtual.measure}>
              <TableLine {...props} row={row} span={span} rowIndex={index + 2} />
            </TableBody>
          )
        );
      })}
      <Gap height={virtual.after} span={span} />
    </>
  );
}

/** The table as a table, for everything wider than a phone. It scrolls within itself, by keyboard too. */
export function TableView<Data extends RowData>(props: ViewProps<Data>) {
  const scroller = useRef<HTMLDivElement>(null);
  const count = props.table.getRowModel().rows.length;
  const isLong = count > VIRTUAL_ABOVE;
  return (
    <div
      ref={scroller}
      data-slot="table-container"
      role="group"
      aria-label={props.label}
      tabIndex={0}
      className={cn(
        "min-h-0 overflow-auto focus-visible:-outline-offset-2 print:max-h-none print:overflow-visible",
        isLong && "max-h-[70dvh]",
        props.className,
      )}
    >
      <table
        data-slot="table"
        className="w-full border-separate border-spacing-0 text-[13px]"
        aria-label={props.label}
        aria-busy={props.pending}
        aria-rowcount={isLong ? count + 1 : undefined}
      >
        <Head {...props} />
        {props.pending ? <SkeletonRows {...props} /> : <Rows {...props} scroller={scroller} />}
      </table>
    </div>
  );
}
