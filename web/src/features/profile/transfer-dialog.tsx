import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { MoneyInput } from "../../components/form/money-input.tsx";
import { useFormatMoney } from "../../components/money.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { useOnce } from "../../hooks/use-once.ts";

type TransferDialogProps = {
  /** Quota units that can be moved. */
  readonly earnings: number;
  readonly isBusy: boolean;
  readonly onTransfer: (quota: number) => Promise<unknown>;
  readonly onClose: () => void;
};

const NO_PRESETS: readonly number[] = [];

/** How much of the earnings goes to the balance. */
export function TransferDialog({ earnings, isBusy, onTransfer, onClose }: TransferDialogProps) {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const once = useOnce();
  const [quota, setQuota] = useState(earnings);
  const isWrong = !(quota >= 1 && quota <= earnings);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isWrong) once(() => onTransfer(quota));
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-md">
        <DialogTitle>{t("划转到余额")}</DialogTitle>
        <DialogDescription>{t("可划转的收益：{{amount}}", { amount: formatMoney(earnings) })}</DialogDescription>
        <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
          <FieldFrame label={t("划转额度")} error={isWrong ? t("请输入大于 0、不超过收益的额度") : undefined}>
            {(control) => <MoneyInput control={control} quota={quota} onQuotaChange={setQuota} presets={NO_PRESETS} />}
          </FieldFrame>
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <BusyButton type="submit" busy={isBusy} disabled={isWrong}>
              {t("划转")}
            </BusyButton>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
