import type { Order } from "@turnpike/contract/api/payment";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { MoneyField } from "../../../components/form/money-field.tsx";
import { useFormatMoney } from "../../../components/money.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { useSmallForm } from "../../../hooks/use-small-form.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { notifySuccess } from "../../../lib/toast.ts";
import { OrderDialog } from "./order-dialog.tsx";
import { refreshOrders, refundOrder } from "./orders-api.ts";
import { formatPayMoney } from "./pay-money.ts";

type RefundDialogProps = { readonly order: Order; readonly onClose: () => void };

const FIELDS_BY_CODE = {
  refund_quota_invalid: "quota",
  order_not_refundable: "quota",
  refund_reason_required: "reason",
} as const;

const QUOTA_PROBLEM = text("必须大于 0，且不超过 {{max}}");

const refundForm = (paid: number) =>
  z.object({
    quota: z.number(QUOTA_PROBLEM).check(z.gt(0, QUOTA_PROBLEM), z.lte(paid, QUOTA_PROBLEM)),
    reason: z.string().check(z.trim(), z.minLength(1, text("请输入退款原因"))),
  });
type Values = z.infer<ReturnType<typeof refundForm>>;

/** Refunds the credits of a paid order; the money itself is returned at the provider. */
export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const { t, i18n } = useTranslation();
  const formatMoney = useFormatMoney();
  const form = useSmallForm(refundForm(order.quota), { quota: order.quota, reason: "" });
  const reasonError = form.getError("reason");
  const refund = useMutation({
    mutationFn: (values: Values) => refundOrder(order.id, values),
    onSuccess: (_, { quota }) => {
      notifySuccess(t("已退款，收回 {{amount}}", { amount: formatMoney(quota) }));
      onClose();
    },
    onError: (error) => form.fail(error, FIELDS_BY_CODE),
    onSettled: refreshOrders,
  });
  return (
    <OrderDialog
      title={t("退款：订单 {{trade}}", { trade: order.trade_no })}
      description={t("从“{{name}}”的余额里收回额度。支付的 {{money}} 需要在支付平台上退回。", {
        name: order.username,
        money: formatPayMoney(order.money, order.currency, i18n.language),
      })}
      submitLabel={t("退款")}
      danger
      busy={refund.isPending}
      onSubmit={form.submit((values) => refund.mutateAsync(values).catch(() => undefined))}
      onClose={onClose}
    >
      <MoneyField
        control={form.control}
        name="quota"
        label={t("收回的额度")}
        help={t("这个订单到账 {{amount}}。余额不足时会变为负数。", { amount: formatMoney(order.quota) })}
        errorValues={{ max: formatMoney(order.quota) }}
      />
      <FieldFrame label={t("退款原因")} required error={reasonError && t(reasonError)}>
        {(control) => <Input {...control} {...form.field("reason")} maxLength={200} autoComplete="off" />}
      </FieldFrame>
    </OrderDialog>
  );
}
