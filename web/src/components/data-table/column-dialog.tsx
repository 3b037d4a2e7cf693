import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "../ui/checkbox.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from "../ui/dialog.tsx";
import { Columns3 } from "lucide-react";
import { Button } from "../ui/button.tsx";

/** A column as the dialog offers it. */
export type ColumnChoice = {
  readonly id: string;
  readonly label: string;
  readonly isShown: boolean;
  readonly isFixed: boolean;
  readonly onShow: (shown: boolean) => void;
};

type ColumnDialogProps = { readonly choices: readonly ColumnChoice[] };

/** Lets the reader choose the columns of a table; the choice is remembered. */
export function ColumnDialog({ choices }: ColumnDialogProps) {
  const { t } = useTranslation();
  const prefix = useId();
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="outline" size="icon" aria-label={t("列设置")}>
          <Columns3 />
        </Button>
      </DialogTrigger>
      <DialogContent className="max-w-sm">
        <DialogTitle>{t("列设置")}</DialogTitle>
        <DialogDescription>{t("选择要显示的列，本浏览器会记住。")}</DialogDescription>
        <ul className="grid grid-cols-2 gap-x-4 gap-y-1">
          {choices.map(({ id, label, isShown, isFixed, onShow }) => (
            <li key={id} className="flex items-center gap-2">
              <Checkbox
                id={`${prefix}-${id}`}
                checked={isShown}
                disabled={isFixed}
                onCheckedChange={(checked) => onShow(checked === true)}
              />
              <label htmlFor={`${prefix}-${id}`} className="flex min-h-8 flex-1 items-center text-sm">
                {label}
              </label>
            </li>
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  );
}
