import type { Order } from "@turnpike/contract/api/payment";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { MoneyInput } from "../../../components/form/money-input.tsx";
import { useFormatMoney } from "../../../components/money.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../../components/ui/dialog.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { useOnce } from "../../../hooks/use-once.ts";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import { BusyButton } from "../../../components/busy-button.tsx";
import { refreshOrders, refundOrder } from "./orders-api.ts";
import { formatPayMoney } from "./pay-money.ts";

type RefundDialogProps = { readonly order: Order; readonly onClose: () => void };

/** Takes the credits of a paid order back; the money itself is returned at the provider. */
export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const { t, i18n } = useTranslation();
  const formatMoney = useFormatMoney();
  const once = useOnce();
  const [quota, setQuota] = useState(order.quota);
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const isQuotaWrong = !(quota > 0 && quota <= order.quota);
  const isReasonMissing = reason.trim() === "";
  const refund = useMutation({
    mutationFn: () => refundOrder(order.id, { quota, reason: reason.trim() }),
    onSuccess: () => {
      notifySuccess(t("已退款，收回 {{amount}}", { amount: formatMoney(quota) }));
      onClose();
    },
    onError: notifyError,
    onSettled: refreshOrders,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isQuotaWrong && !isReasonMissing) once(() => refund.mutateAsync().catch(() => undefined));
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-md">
        <DialogTitle>{t("退款：订单 {{trade}}", { trade: order.trade_no })}</DialogTitle>
        <DialogDescription>
          {t("从“{{name}}”的余额里收回额度。支付的 {{money}} 需要在支付平台上退回。", {
            name: order.username,
            money: formatPayMoney(order.money, order.currency, i18n.language),
          })}
        </DialogDescription>
        <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
          <FieldFrame
            label={t("收回的额度")}
            help={t("这个订单到账 {{amount}}。余额不足时会变为负数。", { amount: formatMoney(order.quota) })}
            error={
              tried && isQuotaWrong ? t("必须大于 0，且不超过 {{max}}", { max: formatMoney(order.quota) }) : undefined
            }
          >
            {(control) => <MoneyInput control={control} quota={quota} onQuotaChange={setQuota} presets={[]} />}
          </FieldFrame>
          <FieldFrame label={t("退款原因")} required error={tried && isReasonMissing ? t("请输入退款原因") : undefined}>
            {(control) => (
              <Input
                {...control}
                value={reason}
                maxLength={200}
                autoComplete="off"
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </FieldFrame>
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <BusyButton type="submit" variant="destructive" busy={refund.isPending}>
              {t("退款")}
            </BusyButton>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
