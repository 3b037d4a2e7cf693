import type { Order } from "@turnpike/contract/api/payment";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { useSmallForm } from "../../../hooks/use-small-form.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { notifySuccess } from "../../../lib/toast.ts";
import { OrderDialog } from "./order-dialog.tsx";
import { refreshOrders, refundOrder } from "./orders-api.ts";
import { formatPayMoney } from "./pay-money.ts";

type ReturnDialogProps = { readonly order: Order; readonly onClose: () => void };

const FIELDS_BY_CODE = { order_not_refundable: "reason", refund_reason_required: "reason" } as const;

const ReturnForm = z.object({ reason: z.string().check(z.trim(), z.minLength(1, text("请输入原因"))) });
type Values = z.infer<typeof ReturnForm>;

/** Closes an order whose payment was never credited; the money itself is returned at the provider. */
export function ReturnDialog({ order, onClose }: ReturnDialogProps) {
  const { t, i18n } = useTranslation();
  const form = useSmallForm(ReturnForm, { reason: "" });
  const reasonError = form.getError("reason");
  const receipt = order.receipts.at(-1);
  const returnPayment = useMutation({
    mutationFn: ({ reason }: Values) => refundOrder(order.id, { quota: 0, reason }),
    onSuccess: () => {
      notifySuccess(t("订单已标记为退回"));
      onClose();
    },
    onError: (error) => form.fail(error, FIELDS_BY_CODE),
    onSettled: refreshOrders,
  });
  return (
    <OrderDialog
      title={t("退回付款：订单 {{trade}}", { trade: order.trade_no })}
      description={t("没有给“{{name}}”加过额度。实付的 {{money}} 需要在支付平台上退回。", {
        name: order.username,
        money: formatPayMoney(receipt?.money ?? order.money, receipt?.currency ?? order.currency, i18n.language),
      })}
      submitLabel={t("退回付款")}
      danger
      busy={returnPayment.isPending}
      onSubmit={form.submit((values) => returnPayment.mutateAsync(values).catch(() => undefined))}
      onClose={onClose}
    >
      <FieldFrame label={t("原因")} required error={reasonError && t(reasonError)}>
        {(control) => <Input {...control} {...form.field("reason")} maxLength={200} autoComplete="off" />}
      </FieldFrame>
    </OrderDialog>
  );
}
