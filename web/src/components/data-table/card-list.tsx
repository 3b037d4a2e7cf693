import type { Cell, RowData } from "@tanstack/react-table";
import { ChevronDown } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/utils.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { DataColumn } from "./columns/columns.ts";
import { RowActions } from "./actions/row-actions.tsx";
import { type features, renderCell, type TableRowModel } from "./table-features.ts";
import type { ViewProps } from "./view-props.ts";

const SKELETON_CARDS_MAX = 6;

function CardSkeletons({ count }: { readonly count: number }) {
  return Array.from({ length: Math.min(count, SKELETON_CARDS_MAX) }, (_, index) => (
    <li key={index} className="flex h-28 flex-col gap-3 rounded-lg border p-3">
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-3 w-4/5" />
      <Skeleton className="h-3 w-3/5" />
    </li>
  ));
}

type RowCardProps<Data extends RowData> = ViewProps<Data> & { readonly row: TableRowModel<Data> };

function Facts<Data extends RowData>({ cells }: { readonly cells: readonly Cell<typeof features, Data>[] }) {
  if (cells.length === 0) return null;
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1">
      {cells.map((cell) => (
        <div key={cell.id} className="contents">
          <dt className="text-muted-foreground">{cell.column.columnDef.meta?.label}</dt>
          <dd className="min-w-0 text-right">{renderCell(cell)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Details<Data extends RowData>({ row, renderDetails }: RowCardProps<Data>) {
  const { t } = useTranslation();
  const id = useId();
  if (!renderDetails) return null;
  const isOpen = row.getIsExpanded();
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className="mt-1 -ml-2"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => row.toggleExpanded()}
      >
        <ChevronDown className={cn("transition-transform", isOpen && "rotate-180")} />
        {isOpen ? t("收起") : t("详情")}
      </Button>
      {isOpen && (
        <div id={id} className="mt-2 border-t pt-3">
          {renderDetails(row.original)}
        </div>
      )}
    </>
  );
}

function RowCard<Data extends RowData>(props: RowCardProps<Data>) {
  const { row, getRowName, getRowActions, selectable, getRowClassName } = props;
  const { t } = useTranslation();
  const name = getRowName(row.original);
  const isSelected = row.getIsSelected();
  // Cards have their own choice of columns: a column hidden in the table may be an important fact on a card.
  const cells = row.getAllCells();
  const getCells = (place: DataColumn<Data>["card"]) =>
    cells.filter(({ column }) => column.columnDef.meta?.card === place);
  return (
    <li
      className={cn(
        "rounded-lg border p-3 text-[13px]",
        isSelected && "border-primary bg-selected",
        getRowClassName?.(row.original),
      )}
    >
      <div className="flex items-center gap-2">
        {selectable && (
          <Checkbox
            aria-label={t("选择 {{name}}", { name })}
            checked={isSelected}
            onCheckedChange={(checked) => row.toggleSelected(checked === true)}
          />
        )}
        <div className="min-w-0 flex-1 font-medium">
          {getCells("title").map((cell) => (
            <div key={cell.id}>{renderCell(cell)}</div>
          ))}
        </div>
        {getCells("badge").map((cell) => (
          <div key={cell.id}>{renderCell(cell)}</div>
        ))}
        {getRowActions && <RowActions actions={getRowActions(row.original)} name={name} compact />}
      </div>
      <Facts cells={getCells("fact")} />
      <Details {...props} />
    </li>
  );
}

/** The table as a list of cards, for phones. */
export function CardList<Data extends RowData>(props: ViewProps<Data>) {
  return (
    <ul className="flex flex-col gap-2" aria-label={props.label} aria-busy={props.pending}>
      {props.pending ? (
        <CardSkeletons count={props.skeletonRows} />
      ) : (
        props.table.getRowModel().rows.map((row) => <RowCard key={row.id} {...props} row={row} />)
      )}
    </ul>
  );
}
