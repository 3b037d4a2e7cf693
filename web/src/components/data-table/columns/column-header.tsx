import type { Column, RowData } from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import { cn } from "../../../lib/utils.ts";
import { TableHead } from "../../ui/table.tsx";
import type { features } from "../table-features.ts";

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

type ColumnHeaderProps<Data extends RowData> = {
  readonly column: Column<typeof features, Data>;
  readonly className: string;
};

/** The header of a column; the label of a sortable column is a button. */
export function ColumnHeader<Data extends RowData>({ column, className }: ColumnHeaderProps<Data>) {
  const meta = column.columnDef.meta;
  const sorted = column.getIsSorted();
  const canSort = column.getCanSort();
  const Icon = sorted === "desc" ? ArrowDown : sorted === "asc" ? ArrowUp : ArrowUpDown;
  return (
    <TableHead
      scope="col"
      aria-sort={canSort ? (sorted === false ? "none" : ARIA_SORT[sorted]) : undefined}
      className={cn(className, meta?.align === "right" && "text-right", meta?.wideOnly === true && "max-sm:hidden")}
    >
      {canSort ? (
        <button
          type="button"
          className="inline-flex items-center gap-1 rounded-sm font-medium hover:text-foreground"
          onClick={() => column.toggleSorting()}
        >
          {meta?.label}
          <Icon className={cn("size-3", sorted === false ? "opacity-60" : "text-accent-text")} aria-hidden />
        </button>
      ) : (
        meta?.label
      )}
    </TableHead>
  );
}
