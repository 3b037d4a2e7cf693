import type { Order } from "@turnpike/contract/api/payment";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormatMoney } from "../../../components/money.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { selfQuery } from "../../../lib/session/account.ts";
import { queryClient } from "../../../lib/api/query-client.ts";
import { ordersQuery } from "../orders/orders-api.ts";

const POLL_MS = 2_000;
/** Providers notify the server within seconds; after this time a notification is unlikely. */
const PATIENCE_MS = 120_000;
const LATEST = 5;
const PENDING = "pending";

/** The parameters that a provider adds when it sends the browser back. */
export type PaymentSearch = {
  readonly payment?: "success" | "cancelled" | undefined;
  /** Epay's name for the order number. */
  readonly out_trade_no?: string | undefined;
};

const isReturn = ({ payment, out_trade_no }: PaymentSearch): boolean =>
  payment !== undefined || out_trade_no !== undefined;

/** The order that the browser returned from: by its number, else the newest one. */
const getOrder = (orders: readonly Order[] | undefined, tradeNo: string | undefined): Order | undefined =>
  tradeNo === undefined ? orders?.[0] : orders?.find(({ trade_no }) => trade_no === tradeNo);

/** Polls an order until the server has received the payment. */
function useReturnedOrder(tradeNo: string | undefined) {
  const [isLate, setLate] = useState(false);
  const list = { all: false, page: 1, pageSize: LATEST } as const;
  const orders = useQuery({
    ...ordersQuery(tradeNo === undefined ? list : { ...list, keyword: tradeNo }),
    refetchInterval: ({ state }) => {
      const status = getOrder(state.data?.items, tradeNo)?.status ?? PENDING;
      return status === PENDING && !isLate ? POLL_MS : false;
    },
  });
  const order = getOrder(orders.data?.items, tradeNo);
  const isPaid = order?.status === "paid";
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isPaid) return;
    for (const queryKey of [selfQuery.queryKey, ["ledger"]]) void queryClient.invalidateQueries({ queryKey });
  }, [isPaid]);
  return { order, isLate };
}

function Outcome({ tradeNo }: { readonly tradeNo: string | undefined }) {
  const { t } = useTranslation();
  const formatMoney = useFormatMoney();
  const { order, isLate } = useReturnedOrder(tradeNo);
  const status = order?.status ?? PENDING;
  if (status === "paid")
    return <Notice tone="good">{t("支付成功，到账 {{amount}}", { amount: formatMoney(order?.quota ?? 0) })}</Notice>;
  if (status === "mismatched" || status === "returned")
    return <Notice tone="warn">{t("收到的付款与订单金额不符，没有自动到账。管理员会确认到账或退回付款。")}</Notice>;
  if (status === "failed" || status === "expired")
    return <Notice tone="bad">{t("这个订单没有支付成功，没有扣款。可以重新发起充值。")}</Notice>;
  if (isLate)
    return (
      <Notice tone="warn">
        {t("还没有收到支付平台的通知。如果已经付款，到账后余额会自动更新，也可以在订单里查看。")}
      </Notice>
    );
  return <Notice tone="info">{t("正在等待支付平台确认，通常只要几秒…")}</Notice>;
}

type PaymentReturnProps = { readonly search: PaymentSearch; readonly onDone: () => void };

/** The result of a payment, for a user who returns from the provider. */
export function PaymentReturn({ search, onDone }: PaymentReturnProps) {
  const { t } = useTranslation();
  if (!isReturn(search)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1">
        {search.payment === "cancelled" ? (
          <Notice tone="warn">{t("支付已取消，没有扣款。")}</Notice>
        ) : (
          <Outcome tradeNo={search.out_trade_no} />
        )}
      </div>
      <Button variant="outline" size="sm" onClick={onDone}>
        {t("知道了")}
      </Button>
    </div>
  );
}
