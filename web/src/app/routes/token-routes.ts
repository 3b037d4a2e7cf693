import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { enterArea } from "../../lib/i18n.ts";
import { choiceSearch, searchOf, textSearch } from "../../lib/search.ts";
import { signedInRoute } from "./areas.ts";

const tokensRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/tokens",
  validateSearch: searchOf({ ...listSearch, keyword: textSearch, token: textSearch, days: choiceSearch(1, 7, 30) }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/tokens/tokens-page.tsx"), enterArea("tokens")]);
    return page;
  }, "TokensPage"),
});
const tokenEditor = lazyRouteComponent(() => import("../../features/tokens/token-editor.tsx"), "TokenEditor");
const tokenNewRoute = createRoute({ getParentRoute: () => tokensRoute, path: "new", component: tokenEditor });
const tokenEditRoute = createRoute({ getParentRoute: () => tokensRoute, path: "$id", component: tokenEditor });
/** A user's keys, and the chat clients that are opened with one. */
export const tokenRoutes = [tokensRoute.addChildren([tokenNewRoute, tokenEditRoute])] as const;
