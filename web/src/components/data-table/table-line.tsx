import type { RowData } from "@tanstack/react-table";
import { ChevronRight } from "lucide-react";
import { type MouseEvent, useId } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/utils.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { TableCell, TableRow } from "../ui/table.tsx";
import { RowActions } from "./actions/row-actions.tsx";
import { renderCell, type TableRowModel } from "./table-features.ts";
import type { ViewProps } from "./view-props.ts";

export const cellClasses = "max-w-72 border-b";

type ExpandButtonProps = {
  readonly isOpen: boolean;
  readonly name: string;
  readonly detailsId: string;
  readonly onClick: () => void;
};

function ExpandButton({ isOpen, name, detailsId, onClick }: ExpandButtonProps) {
  const { t } = useTranslation();
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-expanded={isOpen}
      aria-controls={isOpen ? detailsId : undefined}
      aria-label={t("{{name}} 的详情", { name })}
      onClick={onClick}
    >
      <ChevronRight className={cn("transition-transform", isOpen && "rotate-90")} />
    </Button>
  );
}

const CONTROLS = "a, button, input, select, textarea, label, [role=button], [role=menuitem], [role=checkbox]";

/** True for a click on the row itself: not on a control in it or in a dialog that it opened, nor at the end of a selection of text. */
function isRowClick({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  return target.closest(CONTROLS) === null && window.getSelection()?.isCollapsed !== false;
}

type TableLineProps<Data extends RowData> = ViewProps<Data> & {
  readonly row: TableRowModel<Data>;
  /** The number of cells in the row. */
  readonly span: number;
  /** Position among all rows (the header is 1), when not all of them are rendered. */
  readonly rowIndex?: number;
};

/** A row with its checkbox, expand button, cells, actions and, below it, its details. */
export function TableLine<Data extends RowData>(props: TableLineProps<Data>) {
  const { row, span, rowIndex, selectable, renderDetails, getRowActions, getRowName, getRowClassName } = props;
  const { t } = useTranslation();
  const detailsId = useId();
  const name = getRowName(row.original);
  const isSelected = row.getIsSelected();
  const isOpen = row.getIsExpanded();
  const background = isSelected ? "bg-selected" : "bg-background group-hover:bg-surface";
  return (
    <>
      <TableRow
        className={cn(
          "group border-0 hover:bg-transparent",
          renderDetails && "cursor-pointer",
          getRowClassName?.(row.original),
        )}
        data-state={isSelected ? "selected" : undefined}
        aria-selected={selectable ? isSelected : undefined}
        aria-rowindex={rowIndex}
        onClick={renderDetails && ((event) => isRowClick(event) && row.toggleExpanded())}
      >
        {selectable && (
          <TableCell className={cn(cellClasses, background, "pr-0")}>
            <Checkbox
              aria-label={t("选择 {{name}}", { name })}
              checked={isSelected}
              onCheckedChange={(checked) => row.toggleSelected(checked === true)}
            />
          </TableCell>
        )}
        {renderDetails && (
          <TableCell className={cn(cellClasses, background, "pr-0 pl-1.5")}>
            <ExpandButton isOpen={isOpen} name={name} detailsId={detailsId} onClick={() => row.toggleExpanded()} />
          </TableCell>
        )}
        {row.getVisibleCells().map((cell) => {
          const meta = cell.column.columnDef.meta;
          return (
            <TableCell
              key={cell.id}
              className={cn(
                cellClasses,
                background,
                meta?.align === "right" && "text-right tabular-nums",
                meta?.wideOnly === true && "max-sm:hidden",
                meta?.className,
              )}
            >
              {renderCell(cell)}
            </TableCell>
          );
        })}
        {getRowActions && (
          <TableCell className={cn(cellClasses, background, "sticky right-0 w-px px-2")}>
            <RowActions actions={getRowActions(row.original)} name={name} />
          </TableCell>
        )}
      </TableRow>
      {isOpen && renderDetails && (
        <TableRow id={detailsId} className="border-0 hover:bg-transparent">
          <TableCell colSpan={span} className="border-b bg-surface px-4 py-4 whitespace-normal">
            {renderDetails(row.original)}
          </TableCell>
        </TableRow>
      )}
    </>
  );
}
