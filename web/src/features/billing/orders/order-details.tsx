import type { Order } from "@turnpike/contract/api/payment";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Money } from "../../../components/money.tsx";
import { Time } from "../../../components/time.tsx";
import { formatPayMoney } from "./pay-money.ts";

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-xs text-muted-foreground">{label}</dt>
      <dd className="min-w-0 text-[13px]">{children}</dd>
    </div>
  );
}

/** The history of an order, step by step. */
export function OrderDetails({ order }: { readonly order: Order }) {
  const { t, i18n } = useTranslation();
  const moment = (seconds: number) => (seconds > 0 ? <Time seconds={seconds} exact /> : "—");
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      <Fact label={t("下单时间")}>{moment(order.create_time)}</Fact>
      <Fact label={t("支付时间")}>{moment(order.complete_time)}</Fact>
      {order.provider_reference !== "" && (
        <Fact label={t("支付平台单号")}>
          <span className="inline-flex items-center gap-1">
            <code className="font-mono text-xs">{order.provider_reference}</code>
            <CopyButton value={order.provider_reference} label={t("复制支付平台单号")} />
          </span>
        </Fact>
      )}
      {order.receipts.length > 0 && (
        <Fact label={t("应付")}>{formatPayMoney(order.money, order.currency, i18n.language)}</Fact>
      )}
      {order.receipts.map(({ reference, money, currency, time }) => (
        <Fact key={`${reference} ${money}`} label={t("实付，未按订单到账")}>
          <span className="inline-flex flex-wrap items-center gap-x-2">
            <strong>{formatPayMoney(money, currency, i18n.language)}</strong>
            <code className="font-mono text-xs">{reference}</code>
            {moment(time)}
          </span>
        </Fact>
      ))}
      {order.settle_reason !== "" && <Fact label={t("人工到账的原因")}>{order.settle_reason}</Fact>}
      {order.status === "returned" && (
        <>
          <Fact label={t("退回时间")}>{moment(order.refund_time)}</Fact>
          <Fact label={t("退回原因")}>{order.refund_reason}</Fact>
        </>
      )}
      {order.status === "refunded" && (
        <>
          <Fact label={t("退款时间")}>{moment(order.refund_time)}</Fact>
          <Fact label={t("收回的额度")}>
            <Money quota={order.refund_quota} />
          </Fact>
          <Fact label={t("退款原因")}>{order.refund_reason}</Fact>
        </>
      )}
    </dl>
  );
}
