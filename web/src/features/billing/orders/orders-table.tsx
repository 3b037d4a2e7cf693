import type { Order } from "@turnpike/contract/api/payment";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, SearchCheck, Undo2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../../components/data-table/data-table.tsx";
import { DayFilters } from "../../../components/data-table/day-filters.tsx";
import { ExportButton } from "../../../components/data-table/actions/export-button.tsx";
import type { RowAction } from "../../../components/data-table/actions/row-action.ts";
import { SearchInput } from "../../../components/data-table/search-input.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { notifyError, notifyProblem, notifySuccess } from "../../../lib/toast.ts";
import { OptionSelect } from "../../../components/option-select.tsx";
import { OrderDetails } from "./order-details.tsx";
import { ORDER_STATES } from "./order-labels.tsx";
import { isOpen } from "./order-receipts.ts";
import { type OrderSearch, ordersQuery, queryOrder, readOrders, refreshOrders } from "./orders-api.ts";
import { orderExport } from "./order-export.ts";
import { orderColumns } from "./orders-columns.tsx";

const DIALOGS = {
  refund: lazy(async () => ({ default: (await import("./refund-dialog.tsx")).RefundDialog })),
  giveBack: lazy(async () => ({ default: (await import("./return-dialog.tsx")).ReturnDialog })),
  settle: lazy(async () => ({ default: (await import("./settle-dialog.tsx")).SettleDialog })),
};

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

/** Queries an order at the provider and shows what it reports. */
function useProviderQuery() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: ({ id }: Order) => queryOrder(id),
    onSuccess: ({ order, is_paid: isPaid }) => {
      if (order.status === "paid") notifySuccess(t("支付平台确认已付款，已到账"));
      else notifyProblem(isPaid ? t("支付平台报告的金额与订单不符") : t("支付平台报告还没有付款"), order.trade_no);
    },
    onError: notifyError,
    onSettled: refreshOrders,
  });
}

type Decision = { readonly dialog: keyof typeof DIALOGS; readonly order: Order };

/** What administrators can do with an order, and the dialog of what they chose. */
function useOrderActions() {
  const { t } = useTranslation();
  const [decision, setDecision] = useState<Decision>();
  const query = useProviderQuery();
  const getRowActions = (order: Order): readonly RowAction[] => [
    {
      label: t("向支付平台查询"),
      icon: SearchCheck,
      disabled: !isOpen(order),
      busy: query.isPending && query.variables.id === order.id,
      onSelect: () => query.mutate(order),
    },
    {
      label: t("确认到账"),
      icon: CircleCheck,
      disabled: !isOpen(order),
      onSelect: () => setDecision({ dialog: "settle", order }),
    },
    order.status === "mismatched"
      ? {
          label: t("退回付款"),
          icon: Undo2,
          danger: true,
          onSelect: () => setDecision({ dialog: "giveBack", order }),
        }
      : {
          label: t("退款"),
          icon: Undo2,
          danger: true,
          disabled: order.status !== "paid",
          onSelect: () => setDecision({ dialog: "refund", order }),
        },
  ];
  const Dialog = decision && DIALOGS[decision.dialog];
  const dialog = Dialog && (
    <Suspense>
      <Dialog order={decision.order} onClose={() => setDecision(undefined)} />
    </Suspense>
  );
  return { getRowActions, dialog };
}

/** Orders with their states; administrators can credit and refund them. */
export function OrdersTable({ all, search, page, pageSize, onChange, empty }: OrdersTableProps) {
  const { t, i18n } = useTranslation();
  const { keyword, status, from, to } = search;
  const query = useQuery(ordersQuery({ all, page, pageSize, keyword, status, from, to }));
  const columns = useMemo(() => orderColumns(t, i18n.language, all), [t, i18n.language, all]);
  const { getRowActions, dialog } = useOrderActions();
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
      {dialog}
    </>
  );
}
