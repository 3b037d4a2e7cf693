import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { toPage, usePatchSearch } from "../../../components/data-table/use-list-search.ts";
import { ListPage } from "../../../components/list-page.tsx";
import { OrdersTable } from "./orders-table.tsx";

const route = getRouteApi("/shell/signed-in/admin/admin/orders");

/** All users' orders. */
export function OrdersPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  return (
    <ListPage
      title={t("订单管理")}
      description={t("在线充值的订单。已支付的可以退款，金额不符或没有收到通知的可以确认到账。")}
    >
      <OrdersTable all search={search} {...toPage(search)} onChange={patch} />
    </ListPage>
  );
}
