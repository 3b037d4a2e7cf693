import type { RowData } from "@tanstack/react-table";
import { type ComponentType, lazy, type ReactNode, type RefObject, Suspense, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useIsPrinting } from "../../hooks/use-is-printing.ts";
import { cn } from "../../lib/utils.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TableBody, TableCell, TableHead, TableHeader, TableRow } from "../ui/table.tsx";
import { ColumnHeader } from "./columns/column-header.tsx";
import type { TableRowModel } from "./table-features.ts";
import { cellClasses, TableLine } from "./table-line.tsx";
import type { ViewProps, VirtualRowsProps } from "./view-props.ts";

const headClasses = "sticky top-0 z-10 border-b bg-surface";

/** Cells of a row other than its columns: checkbox, expand button, actions. */
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

const VirtualRows = lazy(async () => ({ default: (await import("./virtual-rows.tsx")).VirtualRows }));

/** Up to this number, all rows are rendered; above it, only the visible ones. */
const VIRTUAL_ABOVE = 100;

type RowsProps<Data extends RowData> = ViewProps<Data> & { readonly scroller: RefObject<HTMLDivElement | null> };

function Rows<Data extends RowData>({ scroller, ...props }: RowsProps<Data>) {
  const { rows } = props.table.getRowModel();
  const span = countCells(props);
  const isPrinting = useIsPrinting();
  const toBody = (shown: readonly TableRowModel<Data>[]): ReactNode => (
    <TableBody>
      {shown.map((row) => (
        <TableLine key={row.id} {...props} row={row} span={span} />
      ))}
    </TableBody>
  );
  if (rows.length <= VIRTUAL_ABOVE || isPrinting) return toBody(rows);
  // A lazy component loses the type parameter of what it loads.
  const Virtual = VirtualRows as unknown as ComponentType<VirtualRowsProps<Data>>;
  return (
    <Suspense fallback={toBody(rows.slice(0, VIRTUAL_ABOVE))}>
      <Virtual {...props} rows={rows} span={span} scroller={scroller} />
    </Suspense>
  );
}

/** The table view, for screens wider than a phone. It scrolls in its own area, also by keyboard. */
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
