import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { MoneyField } from "../../components/form/money-field.tsx";
import { useFormatMoney } from "../../components/money.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../components/ui/dialog.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { text } from "../../lib/text/i18n-source.ts";

type TransferDialogProps = {
  /** Quota units that can be transferred. */
  readonly earnings: number;
  readonly isBusy: boolean;
  readonly onTransfer: (quota: number) => Promise<unknown>;
  readonly onClose: () => void;
};

const QUOTA_PROBLEM = text("请输入大于 0、不超过收益的额度");

const transferForm = (earnings: number) =>
  z.object({ quota: z.number(QUOTA_PROBLEM).check(z.gte(1, QUOTA_PROBLEM), z.lte(earnings, QUOTA_PROBLEM)) });

/** The part of the earnings to transfer to the balance. */
export function TransferDialog({ earnings, isBusy, onTransfer, onClose }: TransferDialogProps) {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const form = useSmallForm(transferForm(earnings), { quota: earnings });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-md">
        <DialogTitle>{t("划转到余额")}</DialogTitle>
        <DialogDescription>{t("可划转的收益：{{amount}}", { amount: formatMoney(earnings) })}</DialogDescription>
        <form noValidate className="flex flex-col gap-4" onSubmit={form.submit(({ quota }) => onTransfer(quota))}>
          <MoneyField control={form.control} name="quota" label={t("划转额度")} />
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <BusyButton type="submit" busy={isBusy}>
              {t("划转")}
            </BusyButton>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
