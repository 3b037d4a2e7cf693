import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../../components/status-badge.tsx";
import { text } from "../../../lib/text/i18n-source.ts";

/** The states of an order. */
export const ORDER_STATES: readonly { readonly value: string; readonly label: string; readonly tone: StatusTone }[] = [
  { value: "pending", label: text("待支付"), tone: "warn" },
  { value: "paid", label: text("已支付"), tone: "good" },
  { value: "failed", label: text("支付失败"), tone: "bad" },
  { value: "expired", label: text("已关闭"), tone: "neutral" },
  { value: "mismatched", label: text("金额不符"), tone: "bad" },
  { value: "refunded", label: text("已退款"), tone: "info" },
  { value: "returned", label: text("付款已退回"), tone: "info" },
];

const METHODS: Readonly<Record<string, string>> = {
  zfb: text("支付宝"),
  wx: text("微信支付"),
  stripe: text("银行卡（Stripe）"),
};

/** The source sentence of a payment method; an unknown one is shown by its name. */
export const methodLabel = (method: string): string => METHODS[method] ?? method;

/** An order's state. */
export function OrderState({ status }: { readonly status: string }) {
  const { t } = useTranslation();
  const state = ORDER_STATES.find(({ value }) => value === status);
  return (
    <StatusBadge dot tone={state?.tone ?? "neutral"}>
      {state ? t(state.label) : status}
    </StatusBadge>
  );
}
