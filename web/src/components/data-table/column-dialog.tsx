import { Columns3 } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "../ui/dialog.tsx";
import type { DataColumn } from "./columns.ts";
import type { HouseTable } from "./use-data-table.ts";

type ColumnDialogProps<Row> = { readonly table: HouseTable<Row>; readonly columns: readonly DataColumn<Row>[] };

/** Lets the reader choose the columns of a table; the choice is remembered. */
export function ColumnDialog<Row>({ table, columns }: ColumnDialogProps<Row>) {
  const { t } = useTranslation();
  const prefix = useId();
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button size="icon" aria-label={t("列设置")}>
          <Columns3 />
        </Button>
      </DialogTrigger>
      <DialogContent className="max-w-sm">
        <DialogTitle>{t("列设置")}</DialogTitle>
        <DialogDescription>{t("选择要显示的列，本浏览器会记住。")}</DialogDescription>
        <ul className="grid grid-cols-2 gap-x-4 gap-y-1">
          {columns.map(({ id, label }) => {
            const column = table.getColumn(id);
            return (
              <li key={id} className="flex items-center gap-2">
                <Checkbox
                  id={`${prefix}-${id}`}
                  checked={column?.getIsVisible() ?? true}
                  disabled={column?.getCanHide() !== true}
                  onCheckedChange={(checked) => column?.toggleVisibility(checked === true)}
                />
                <label htmlFor={`${prefix}-${id}`} className="flex min-h-8 flex-1 items-center text-sm">
                  {label}
                </label>
              </li>
            );
          })}
        </ul>
      </DialogContent>
    </Dialog>
  );
}
