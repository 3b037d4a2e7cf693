import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { loadAreaTexts } from "../../lib/i18n.ts";
import { choiceSearch, daySearch, monthSearch, createSearchParser, textSearch, wholeSearch } from "../../lib/search.ts";
import { adminRoute, signedInRoute } from "./areas.ts";

const billingSearch = { ...listSearch, keyword: textSearch, status: textSearch, from: daySearch, to: daySearch };

/** The wallet, with what a payment provider puts into the address when it sends somebody back. */
export const walletRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/wallet",
  validateSearch: createSearchParser({
    ...billingSearch,
    tab: choiceSearch("orders", "ledger", "statement"),
    kind: textSearch,
    month: monthSearch,
    payment: choiceSearch("success", "cancelled"),
    out_trade_no: textSearch,
  }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([
      import("../../features/billing/wallet/wallet-page.tsx"),
      loadAreaTexts("billing"),
    ]);
    return page;
  }, "WalletPage"),
});

const ordersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/orders",
  validateSearch: createSearchParser(billingSearch),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([
      import("../../features/billing/orders/orders-page.tsx"),
      loadAreaTexts("billing"),
    ]);
    return page;
  }, "OrdersPage"),
});

const ledgerRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/ledger",
  validateSearch: createSearchParser({
    ...listSearch,
    kind: textSearch,
    user: wholeSearch(1),
    reference: textSearch,
    from: daySearch,
    to: daySearch,
  }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([
      import("../../features/billing/ledger/ledger-page.tsx"),
      loadAreaTexts("billing"),
    ]);
    return page;
  }, "LedgerPage"),
});

/** What admins see and do of money: what people bought, and every credit. */
export const billingRoutes = [ordersRoute, ledgerRoute] as const;
