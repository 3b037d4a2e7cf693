import type { Order } from "@turnpike/contract/api/payment";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../../components/data-table/data-table.tsx";
import { DayFilters } from "../../../components/data-table/day-filters.tsx";
import { ExportButton } from "../../../components/data-table/export-button.tsx";
import type { RowAction } from "../../../components/data-table/row-actions.tsx";
import { SearchInput } from "../../../components/data-table/search-input.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { OrderDetails } from "./order-details.tsx";
import { ORDER_STATES } from "./order-labels.tsx";
import { type OrderSearch, ordersQuery, readOrders } from "./orders-api.ts";
import { orderExport } from "./order-export.ts";
import { orderColumns } from "./orders-columns.tsx";

const RefundDialog = lazy(async () => ({ default: (await import("./refund-dialog.tsx")).RefundDialog }));

type Change = OrderSearch & { readonly page?: number | undefined; readonly size?: number | undefined };
type OrdersTableProps = {
  readonly all: boolean;
  readonly search: OrderSearch;
  readonly page: number;
  readonly pageSize: number;
  readonly onChange: (change: Change) => void;
  readonly empty?: ReactNode;
};

const NO_FILTERS: OrderSearch = { keyword: undefined, status: undefined, from: undefined, to: undefined };

function OrderFilters({ all, search, onChange }: Pick<OrdersTableProps, "all" | "search" | "onChange">) {
  const { t } = useTranslation();
  return (
    <>
      <OptionSelect
        className="h-9 w-full sm:w-36"
        aria-label={t("状态")}
        value={search.status ?? ""}
        options={[
          { value: "", label: t("全部状态") },
          ...ORDER_STATES.map(({ value, label }) => ({ value, label: t(label) })),
        ]}
        onValueChange={(status) => onChange({ status })}
      />
      <SearchInput
        main
        label={all ? t("订单号、用户名或用户 ID") : t("订单号")}
        value={search.keyword ?? ""}
        onSearch={(keyword) => onChange({ keyword })}
      />
      <DayFilters search={search} onChange={onChange} />
    </>
  );
}

/** What belongs into the list of all orders, and where payments are set up. */
function EmptyOrders() {
  const { t } = useTranslation();
  return (
    <EmptyState
      text={t("还没有订单。用户在钱包中在线充值后，订单会出现在这里。")}
      action={
        <Button variant="outline" asChild>
          <Link to="/admin/settings" search={{ tab: "system" }}>
            {t("设置支付方式")}
          </Link>
        </Button>
      }
    />
  );
}

/** Orders with their states; administrators can refund them. */
export function OrdersTable({ all, search, page, pageSize, onChange, empty }: OrdersTableProps) {
  const { t, i18n } = useTranslation();
  const { keyword, status, from, to } = search;
  const query = useQuery(ordersQuery({ all, page, pageSize, keyword, status, from, to }));
  const columns = useMemo(() => orderColumns(t, i18n.language, all), [t, i18n.language, all]);
  const [refunding, setRefunding] = useState<Order>();
  const getRowActions = (order: Order): readonly RowAction[] => [
    {
      label: t("退款"),
      icon: Undo2,
      danger: true,
      disabled: order.status !== "paid",
      onSelect: () => setRefunding(order),
    },
  ];
  return (
    <>
      <DataTable
        id={all ? "orders-admin" : "orders"}
        label={t("订单")}
        columns={columns}
        query={query}
        getRowId={(order) => String(order.id)}
        getRowName={(order) => order.trade_no}
        page={page}
        pageSize={pageSize}
        onPage={onChange}
        isFiltered={[keyword, status, from, to].some((value) => value !== undefined)}
        onClearFilters={() => onChange(NO_FILTERS)}
        empty={empty ?? <EmptyOrders />}
        renderDetails={(order) => <OrderDetails order={order} />}
        {...(all ? { getRowActions } : {})}
        toolbar={
          <>
            <OrderFilters all={all} search={search} onChange={onChange} />
            <ExportButton
              name="orders"
              columns={orderExport(t, all)}
              read={(next, size) => readOrders({ all, page: next, pageSize: size, keyword, status, from, to })}
            />
          </>
        }
      />
      {refunding && (
        <Suspense>
          <RefundDialog order={refunding} onClose={() => setRefunding(undefined)} />
        </Suspense>
      )}
    </>
  );
}
