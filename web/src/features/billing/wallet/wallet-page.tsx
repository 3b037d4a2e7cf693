import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { toPage, usePatchSearch } from "../../../components/data-table/use-list-search.ts";
import { PageHeader } from "../../../components/page-header.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../components/ui/tabs.tsx";
import { text } from "../../../lib/text/i18n-source.ts";
import { BalanceCard } from "./balance-card.tsx";
import { PaymentReturn } from "./payment-return.tsx";
import { RedeemCard } from "./redeem-card.tsx";
import { TopUpCard } from "./top-up-card.tsx";

const OrdersTable = lazy(async () => ({ default: (await import("../orders/orders-table.tsx")).OrdersTable }));
const LedgerTable = lazy(async () => ({ default: (await import("../ledger/ledger-table.tsx")).LedgerTable }));
const StatementView = lazy(async () => ({ default: (await import("../ledger/statement-view.tsx")).StatementView }));

const route = getRouteApi("/shell/signed-in/app/wallet");

const TABS = [
  { value: "balance", label: text("余额") },
  { value: "orders", label: text("订单") },
  { value: "ledger", label: text("账本") },
  { value: "statement", label: text("对账单") },
] as const;
type Tab = (typeof TABS)[number]["value"];

const NO_FILTERS = {
  page: undefined,
  keyword: undefined,
  status: undefined,
  kind: undefined,
  from: undefined,
  to: undefined,
  month: undefined,
};

/** The user's balance, ways to add to it, and its history. */
export function WalletPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const patch = usePatchSearch<typeof search>();
  const tab: Tab = search.tab ?? "balance";
  const open = (next: string): void => {
    const found = TABS.find(({ value }) => value === next)?.value ?? "balance";
    patch({ ...NO_FILTERS, tab: found === "balance" ? undefined : found });
  };
  return (
    <div className="mx-auto flex max-w-[1440px] flex-col gap-4">
      <div className="print:hidden">
        <PageHeader title={t("钱包")} description={t("余额用来支付所有令牌的调用。")} />
      </div>
      <PaymentReturn search={search} onDone={() => patch({ payment: undefined, out_trade_no: undefined })} />
      <Tabs value={tab} onValueChange={open} className="flex flex-col gap-4">
        <TabsList aria-label={t("钱包")} className="print:hidden">
          {TABS.map(({ value, label }) => (
            <TabsTrigger key={value} value={value}>
              {t(label)}
            </TabsTrigger>
          ))}
        </TabsList>
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <TabsContent value="balance" className="grid items-start gap-4 md:grid-cols-2">
            <div className="flex flex-col gap-4">
              <BalanceCard />
              <RedeemCard />
            </div>
            <TopUpCard />
          </TabsContent>
          <TabsContent value="orders">
            <OrdersTable
              all={false}
              search={search}
              {...toPage(search)}
              onChange={patch}
              empty={
                <EmptyState
                  text={t("还没有订单。在线充值后会出现在这里。")}
                  action={
                    <Button variant="outline" onClick={() => open("balance")}>
                      {t("去充值")}
                    </Button>
                  }
                />
              }
            />
          </TabsContent>
          <TabsContent value="ledger">
            <LedgerTable all={false} search={search} {...toPage(search)} onChange={patch} />
          </TabsContent>
          <TabsContent value="statement">
            <StatementView month={search.month} onMonth={(month) => patch({ month })} user={0} />
          </TabsContent>
        </Suspense>
      </Tabs>
    </div>
  );
}
