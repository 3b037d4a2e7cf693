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
import { getPaidQuota } from "./order-receipts.ts";
import { OrderDialog } from "./order-dialog.tsx";
import { refreshOrders, settleOrder } from "./orders-api.ts";
import { formatPayMoney } from "./pay-money.ts";

type SettleDialogProps = { readonly order: Order; readonly onClose: () => void };

const FIELDS_BY_CODE = {
  settle_quota_invalid: "quota",
  order_not_open: "quota",
  refund_reason_required: "reason",
} as const;

const QUOTA_PROBLEM = text("到账额度必须大于 0");

const SettleForm = z.object({
  quota: z.number(QUOTA_PROBLEM).check(z.gt(0, QUOTA_PROBLEM)),
  reference: z.string(),
  reason: z.string().check(z.trim(), z.minLength(1, text("请输入原因"))),
});
type Values = z.infer<typeof SettleForm>;

/** What was ordered and what was paid, in one sentence. */
function useExplanation(order: Order): string {
  const { t, i18n } = useTranslation();
  const money = formatPayMoney(order.money, order.currency, i18n.language);
  const receipt = order.receipts.at(-1);
  if (!receipt)
    return t("给“{{name}}”加上额度。请先在支付平台确认已经收到 {{money}}。", { name: order.username, money });
  const paid = formatPayMoney(receipt.money, receipt.currency, i18n.language);
  return t("“{{name}}”应付 {{money}}，实付 {{paid}}。额度默认按实付的比例计算。", {
    name: order.username,
    money,
    paid,
  });
}

/** Credits an order by hand: another amount was paid, or the provider's notification was lost. */
export function SettleDialog({ order, onClose }: SettleDialogProps) {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const explanation = useExplanation(order);
  const form = useSmallForm(SettleForm, {
    quota: getPaidQuota(order),
    reference: order.receipts.at(-1)?.reference ?? "",
    reason: "",
  });
  const reasonError = form.getError("reason");
  const settle = useMutation({
    mutationFn: ({ quota, reference, reason }: Values) =>
      settleOrder(order.id, { quota, reason, provider_reference: reference }),
    onSuccess: ({ quota }) => {
      notifySuccess(t("已到账 {{amount}}", { amount: formatMoney(quota) }));
      onClose();
    },
    onError: (error) => form.fail(error, FIELDS_BY_CODE),
    onSettled: refreshOrders,
  });
  return (
    <OrderDialog
      title={t("确认到账：订单 {{trade}}", { trade: order.trade_no })}
      description={explanation}
      submitLabel={t("确认到账")}

      busy={settle.isPending}
      onSubmit={form.submit((values) => settle.mutateAsync(values).catch(() => undefined))}
      onClose={onClose}
    >
      <MoneyField
        control={form.control}
        name="quota"
        label={t("到账额度")}
        help={t("订购的额度是 {{amount}}。", { amount: formatMoney(order.quota) })}
      />
      <FieldFrame label={t("支付平台单号")} help={t("不知道时留空。")}>
        {(control) => <Input {...control} {...form.field("reference")} maxLength={128} autoComplete="off" />}
      </FieldFrame>
      <FieldFrame label={t("原因")} required error={reasonError && t(reasonError)}>
        {(control) => <Input {...control} {...form.field("reason")} maxLength={200} autoComplete="off" />}
      </FieldFrame>
    </OrderDialog>
  );
}
