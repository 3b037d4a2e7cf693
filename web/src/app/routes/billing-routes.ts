import { createRoute } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import {
  choiceSearch,
  daySearch,
  monthSearch,
  createSearchParser,
  textSearch,
  wholeSearch,
} from "../../lib/text/search.ts";
import { adminRoute, signedInRoute } from "./areas.ts";
import { lazyPage } from "./lazy-page.ts";

const billingSearch = { ...listSearch, keyword: textSearch, status: textSearch, from: daySearch, to: daySearch };

/** The wallet, with the parameters that a payment provider adds when it sends the browser back. */
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
  component: lazyPage("billing", () => import("../../features/billing/wallet/wallet-page.tsx"), "WalletPage"),
});

const ordersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/orders",
  validateSearch: createSearchParser(billingSearch),
  component: lazyPage("billing", () => import("../../features/billing/orders/orders-page.tsx"), "OrdersPage"),
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
  component: lazyPage("billing", () => import("../../features/billing/ledger/ledger-page.tsx"), "LedgerPage"),
});

/** Administration of money: orders and credits. */
export const billingRoutes = [ordersRoute, ledgerRoute] as const;
