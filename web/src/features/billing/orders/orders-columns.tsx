import type { Order } from "@turnpike/contract/api/payment";
import type { TFunction } from "i18next";
import { CopyButton } from "../../../components/copy-button.tsx";
import type { DataColumn } from "../../../components/data-table/columns/columns.ts";
import { Money } from "../../../components/money.tsx";
import { Time } from "../../../components/time.tsx";
import { UserInfoButton } from "../../../domain/users/user-info-button.tsx";
import { methodLabel, OrderState } from "./order-labels.tsx";
import { formatPayMoney } from "./pay-money.ts";

const userColumn = (t: TFunction): DataColumn<Order> => ({
  id: "user",
  label: t("用户"),
  card: "fact",
  cell: (order) => <UserInfoButton id={order.user_id} username={order.username} />,
});

/** Columns of an order list; administrators also see the user. */
export const orderColumns = (t: TFunction, language: string, admin: boolean): readonly DataColumn<Order>[] => [
  {
    id: "created",
    label: t("时间"),
    fixed: true,
    card: "fact",
    cell: (order) => <Time seconds={order.create_time} exact />,
  },
  ...(admin ? [userColumn(t)] : []),
  {
    id: "trade",
    label: t("订单号"),
    card: "title",
    cell: (order) => (
      <span className="inline-flex max-w-full items-center gap-1">
        <span className="truncate font-mono text-xs" title={order.trade_no}>
          {order.trade_no}
        </span>
        <CopyButton value={order.trade_no} label={t("复制订单号")} />
      </span>
    ),
  },
  { id: "status", label: t("状态"), card: "badge", cell: (order) => <OrderState status={order.status} /> },
  { id: "method", label: t("支付方式"), cell: (order) => t(methodLabel(order.payment_method)) },
  {
    id: "money",
    label: t("支付金额"),
    align: "right",
    card: "fact",
    cell: (order) => (
      <span className="inline-flex flex-col">
        {formatPayMoney(order.money, order.currency, language)}
        {order.receipts.slice(-1).map(({ money, currency }) => (
          <span key={money} className="text-xs text-destructive">
            {t("实付 {{money}}", { money: formatPayMoney(money, currency, language) })}
          </span>
        ))}
      </span>
    ),
  },
  { id: "quota", label: t("到账额度"), align: "right", card: "fact", cell: (order) => <Money quota={order.quota} /> },
  {
    id: "paid",
    label: t("支付时间"),
    cell: (order) => (order.complete_time > 0 ? <Time seconds={order.complete_time} /> : "—"),
  },
];
