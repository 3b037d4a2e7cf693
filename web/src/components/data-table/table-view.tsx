import { ArrowDown, ArrowUpDown, ChevronRight } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/utils.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { DataColumn } from "./columns.ts";
import { type RowAction, RowActions } from "./row-actions.tsx";
import type { DataTableState } from "./use-data-table.ts";

export type ViewProps<Row> = {
  readonly table: DataTableState<Row>;
  readonly columns: readonly DataColumn<Row>[];
  readonly label: string;
  readonly nameOf: (row: Row) => string;
  readonly actionsOf?: ((row: Row) => readonly RowAction[]) | undefined;
  readonly selectable: boolean;
  readonly expanded: ReadonlySet<string>;
  readonly onExpand: (id: string) => void;
  readonly parseLogDetails?: ((row: Row) => ReactNode) | undefined;
  readonly rowClassName?: ((row: Row) => string | undefined) | undefined;
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string) => void) | undefined;
  readonly skeletonRows: number;
};

const headClasses =
  "sticky top-0 z-10 h-9 border-b bg-surface px-2.5 text-left text-xs font-medium whitespace-nowrap text-muted-foreground";
const cellClasses = "h-10 max-w-72 border-b px-2.5 py-1 whitespace-nowrap";

function HeaderLabel<Row>({
  column,
  sort,
  onSort,
}: { column: DataColumn<Row> } & Pick<ViewProps<Row>, "sort" | "onSort">) {
  if (column.sortKey === undefined || !onSort) return <>{column.label}</>;
  const { sortKey } = column;
  const Icon = sort === sortKey ? ArrowDown : ArrowUpDown;
  return (
    <button
      type="button"
      className="inline-flex items-center gap-1 rounded-sm font-medium hover:text-foreground"
      onClick={() => onSort(sortKey)}
    >
      {column.label}
      <Icon className={cn("size-3", sort === sortKey ? "text-accent-text" : "opacity-60")} aria-hidden />
    </button>
  );
}

function TableHead<Row>({ table, selectable, parseLogDetails, actionsOf, sort, onSort }: ViewProps<Row>) {
  const { t } = useTranslation();
  return (
    <thead>
      <tr>
        {selectable && (
          <th className={cn(headClasses, "w-9 pr-0")}>
            <Checkbox
              aria-label={t("选择本页全部")}
              checked={table.allSelected}
              onCheckedChange={(checked) => table.selectAll(checked === true)}
            />
          </th>
        )}
        {parseLogDetails && (
          <th className={cn(headClasses, "w-8 pr-0 pl-2")}>
            <span className="sr-only">{t("展开")}</span>
          </th>
        )}
        {table.shownColumns.map((column) => {
          const sorted = column.sortKey !== undefined && column.sortKey === sort;
          return (
            <th
              key={column.id}
              scope="col"
              aria-sort={sorted ? "descending" : undefined}
              className={cn(headClasses, column.align === "right" && "text-right")}
            >
              <HeaderLabel column={column} sort={sort} onSort={onSort} />
            </th>
          );
        })}
        {actionsOf && (
          <th className={cn(headClasses, "right-0 z-20 w-px")}>
            <span className="sr-only">{t("操作")}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

function SkeletonRows<Row>({ table, selectable, parseLogDetails, actionsOf, skeletonRows }: ViewProps<Row>) {
  const cells = table.shownColumns.length + Number(selectable) + Number(!!parseLogDetails) + Number(!!actionsOf);
  return (
    <>
      {Array.from({ length: skeletonRows }, (_, row) => (
        <tr key={row}>
          {Array.from({ length: cells }, (__, cell) => (
            <td key={cell} className={cellClasses}>
              <Skeleton className="h-4 w-full max-w-28" />
            </td>
          ))}
        </tr>
      ))}
    </>
  );
}

function ExpandButton({ open, name, onClick }: { open: boolean; name: string; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-expanded={open}
      aria-label={t("{{name}} 的详情", { name })}
      onClick={onClick}
    >
      <ChevronRight className={cn("transition-transform", open && "rotate-90")} />
    </Button>
  );
}

function TableRows<Row>(props: ViewProps<Row>) {
  const { table, selectable, parseLogDetails, actionsOf, expanded, onExpand, nameOf, rowClassName } = props;
  const { t } = useTranslation();
  const span = table.shownColumns.length + Number(selectable) + Number(!!parseLogDetails) + Number(!!actionsOf);
  return table.rows.map(({ id, row, isSelected: selected }) => {
    const name = nameOf(row);
    const open = expanded.has(id);
    const background = selected ? "bg-selected" : "bg-background group-hover:bg-surface";
    return (
      <Fragment key={id}>
        <tr className={cn("group", rowClassName?.(row))} aria-selected={selectable ? selected : undefined}>
          {selectable && (
            <td className={cn(cellClasses, background, "pr-0")}>
              <Checkbox
                aria-label={t("选择 {{name}}", { name })}
                checked={selected}
                onCheckedChange={(checked) => table.select(id, checked === true)}
              />
            </td>
          )}
          {parseLogDetails && (
            <td className={cn(cellClasses, background, "pr-0 pl-1.5")}>
              <ExpandButton open={open} name={name} onClick={() => onExpand(id)} />
            </td>
          )}
          {table.shownColumns.map((column) => (
            <td
              key={column.id}
              className={cn(
                cellClasses,
                background,
                column.align === "right" && "text-right tabular-nums",
                column.className,
              )}
            >
              {column.cell(row)}
            </td>
          ))}
          {actionsOf && (
            <td className={cn(cellClasses, background, "sticky right-0 w-px px-2")}>
              <RowActions actions={actionsOf(row)} name={name} />
            </td>
          )}
        </tr>
        {open && parseLogDetails && (
          <tr>
            <td colSpan={span} className="border-b bg-surface px-4 py-4">
              {parseLogDetails(row)}
            </td>
          </tr>
        )}
      </Fragment>
    );
  });
}

/** The table as a table, for everything wider than a phone. */
export function TableView<Row>(props: ViewProps<Row> & { readonly pending: boolean }) {
  return (
    <table
      className="w-full border-separate border-spacing-0 text-[13px]"
      aria-label={props.label}
      aria-busy={props.pending}
    >
      <TableHead {...props} />
      <tbody>{props.pending ? <SkeletonRows {...props} /> : <TableRows {...props} />}</tbody>
    </table>
  );
}
