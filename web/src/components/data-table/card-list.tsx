import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/utils.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RowActions } from "./row-actions.tsx";
import type { ViewProps } from "./table-view.tsx";

function CardSkeletons({ count }: { readonly count: number }) {
  return Array.from({ length: Math.min(count, 6) }, (_, index) => (
    <li key={index} className="flex h-28 flex-col gap-3 rounded-lg border p-3">
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-3 w-4/5" />
      <Skeleton className="h-3 w-3/5" />
    </li>
  ));
}

function Card<Row>(props: ViewProps<Row> & { readonly id: string; readonly row: Row; readonly selected: boolean }) {
  const { id, row, selected, table, columns, nameOf, actionsOf, selectable, parseLogDetails, expanded, onExpand } =
    props;
  const { t } = useTranslation();
  const of = (card: "title" | "badge" | "fact") => columns.filter((column) => column.card === card);
  const open = expanded.has(id);
  return (
    <li
      className={cn(
        "rounded-lg border p-3 text-[13px]",
        selected && "border-primary bg-selected",
        props.rowClassName?.(row),
      )}
    >
      <div className="flex items-center gap-2">
        {selectable && (
          <Checkbox
            aria-label={t("选择 {{name}}", { name: nameOf(row) })}
            checked={selected}
            onCheckedChange={(checked) => table.select(id, checked === true)}
          />
        )}
        <div className="min-w-0 flex-1 font-medium">
          {of("title").map((column) => (
            <div key={column.id}>{column.cell(row)}</div>
          ))}
        </div>
        {of("badge").map((column) => (
          <div key={column.id}>{column.cell(row)}</div>
        ))}
        {actionsOf && <RowActions actions={actionsOf(row)} name={nameOf(row)} compact />}
      </div>
      <dl className="mt-2 grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1">
        {of("fact").map((column) => (
          <div key={column.id} className="contents">
            <dt className="text-muted-foreground">{column.label}</dt>
            <dd className="min-w-0 text-right">{column.cell(row)}</dd>
          </div>
        ))}
      </dl>
      {parseLogDetails && (
        <Button variant="ghost" size="sm" className="mt-1 -ml-2" aria-expanded={open} onClick={() => onExpand(id)}>
          <ChevronDown className={cn("transition-transform", open && "rotate-180")} />
          {open ? t("收起") : t("详情")}
        </Button>
      )}
      {open && parseLogDetails && <div className="mt-2 border-t pt-3">{parseLogDetails(row)}</div>}
    </li>
  );
}

/** The table as a list of cards, for phones. */
export function CardList<Row>(props: ViewProps<Row> & { readonly pending: boolean }) {
  return (
    <ul className="flex flex-col gap-2" aria-label={props.label} aria-busy={props.pending}>
      {props.pending ? (
        <CardSkeletons count={props.skeletonRows} />
      ) : (
        props.table.rows.map(({ id, row, isSelected }) => (
          <Card key={id} {...props} id={id} row={row} selected={isSelected} />
        ))
      )}
    </ul>
  );
}
