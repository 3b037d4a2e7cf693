import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { enterArea } from "../../lib/i18n.ts";
import { choiceSearch, daySearch, monthSearch, searchOf, textSearch, wholeSearch } from "../../lib/search.ts";
import { adminRoute, signedInRoute } from "./areas.ts";

const listOfMoney = { ...listSearch, keyword: textSearch, status: textSearch, from: daySearch, to: daySearch };

/** The wallet, with what a payment provider puts into the address when it sends somebody back. */
export const walletRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/wallet",
  validateSearch: searchOf({
    ...listOfMoney,
    tab: choiceSearch("orders", "ledger", "statement"),
    kind: textSearch,
    month: monthSearch,
    payment: choiceSearch("success", "cancelled"),
    out_trade_no: textSearch,
  }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/wallet/wallet-page.tsx"), enterArea("money")]);
    return page;
  }, "WalletPage"),
});

const ordersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/orders",
  validateSearch: searchOf(listOfMoney),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/orders/orders-page.tsx"), enterArea("money")]);
    return page;
  }, "OrdersPage"),
});

const ledgerRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/ledger",
  validateSearch: searchOf({
    ...listSearch,
    kind: textSearch,
    user: wholeSearch(1),
    reference: textSearch,
    from: daySearch,
    to: daySearch,
  }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/ledger/ledger-page.tsx"), enterArea("money")]);
    return page;
  }, "LedgerPage"),
});

/** What admins see and do of money: what people bought, and every credit. */
export const moneyRoutes = [ordersRoute, ledgerRoute] as const;
