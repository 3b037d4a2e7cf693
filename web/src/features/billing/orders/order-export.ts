import type { Order } from "@turnpike/contract/api/payment";
import type { TFunction } from "i18next";
import type { ExportColumn } from "../../../components/data-table/actions/read-all-rows.ts";
import { toIsoTime } from "../../../lib/text/format.ts";

/** The columns of the file of orders; administrators also get the user. Amounts of quota are quota units. */
export const orderExport = (t: TFunction, admin: boolean): readonly ExportColumn<Order>[] => [
  { label: t("时间"), value: (order) => toIsoTime(order.create_time) },
  ...(admin
    ? [
        { label: t("用户 ID"), value: (order: Order) => order.user_id },
        { label: t("用户"), value: (order: Order) => order.username },
      ]
    : []),
  { label: t("订单号"), value: (order) => order.trade_no },
  { label: t("状态"), value: (order) => order.status },
  { label: t("支付方式"), value: (order) => order.payment_method },
  { label: t("支付金额"), value: (order) => order.money },
  { label: t("实付金额"), value: (order) => order.receipts.map(({ money }) => money).join(" ") },
  { label: t("货币"), value: (order) => order.currency.toUpperCase() },
  { label: t("到账额度"), value: (order) => order.quota },
  { label: t("支付时间"), value: (order) => toIsoTime(order.complete_time) },
  { label: t("退回额度"), value: (order) => order.refund_quota },
  { label: t("退款原因"), value: (order) => order.refund_reason },
];
