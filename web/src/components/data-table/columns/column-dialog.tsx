import type { RowData } from "@tanstack/react-table";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactElement, useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "../../ui/dialog.tsx";
import { Label } from "../../ui/label.tsx";
import type { TableInstance } from "../table-features.ts";

/** The list of columns with a checkbox and two move buttons each. */
function ColumnChoices<Data extends RowData>({ table }: { readonly table: TableInstance<Data> }) {
  const { t } = useTranslation();
  const prefix = useId();
  const columns = table.getAllLeafColumns();
  const move = (from: number, to: number): void => {
    const ids = columns.map(({ id }) => id);
    const [moved] = ids.splice(from, 1);
    if (moved !== undefined) table.setColumnOrder(ids.toSpliced(to, 0, moved));
  };
  return (
    <ul className="flex flex-col">
      {columns.map((column, index) => {
        const label = column.columnDef.meta?.label ?? column.id;
        return (
          <li key={column.id} className="flex items-center gap-2">
            <Checkbox
              id={`${prefix}-${column.id}`}
              checked={column.getIsVisible()}
              disabled={!column.getCanHide()}
              onCheckedChange={(checked) => column.toggleVisibility(checked === true)}
            />
            <Label htmlFor={`${prefix}-${column.id}`} className="flex min-h-8 flex-1 items-center font-normal">
              {label}
            </Label>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={t("{{name}} 前移", { name: label })}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            >
              <ArrowUp />
            </Button>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={t("{{name}} 后移", { name: label })}
              disabled={index === columns.length - 1}
              onClick={() => move(index, index + 1)}
            >
              <ArrowDown />
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

export type ColumnDialogProps<Data extends RowData> = {
  readonly table: TableInstance<Data>;
  readonly trigger: ReactElement;
};

/** Lets the reader choose and order the columns of a table; this browser remembers both. Open at first. */
export function ColumnDialog<Data extends RowData>({ table, trigger }: ColumnDialogProps<Data>) {
  const { t } = useTranslation();
  const reset = (): void => {
    const startsHidden = table.getAllLeafColumns().filter(({ columnDef }) => columnDef.meta?.startsHidden === true);
    table.setColumnVisibility(
      Object.fromEntries(table.getAllLeafColumns().map((column) => [column.id, !startsHidden.includes(column)])),
    );
    table.setColumnOrder([]);
  };
  return (
    <Dialog defaultOpen>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="max-w-sm">
        <DialogHeader>
          <DialogTitle>{t("列设置")}</DialogTitle>
          <DialogDescription>{t("选择要显示的列和它们的顺序，本浏览器会记住。")}</DialogDescription>
        </DialogHeader>
        <ColumnChoices table={table} />
        <DialogFooter>
          <Button variant="outline" onClick={reset}>
            {t("恢复默认列")}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
