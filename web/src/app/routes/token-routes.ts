import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { choiceSearch, createSearchParser, textSearch } from "../../lib/text/search.ts";
import { signedInRoute } from "./areas.ts";
import { lazyPage } from "./lazy-page.ts";

const tokensRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/tokens",
  validateSearch: createSearchParser({
    ...listSearch,
    keyword: textSearch,
    token: textSearch,
    days: choiceSearch(1, 7, 30),
  }),
  component: lazyPage("tokens", () => import("../../features/tokens/tokens-page.tsx"), "TokensPage"),
});
const tokenEditor = lazyRouteComponent(() => import("../../features/tokens/token-editor.tsx"), "TokenEditor");
const tokenNewRoute = createRoute({ getParentRoute: () => tokensRoute, path: "new", component: tokenEditor });
const tokenEditRoute = createRoute({ getParentRoute: () => tokensRoute, path: "$id", component: tokenEditor });
const tokenUsageRoute = createRoute({
  getParentRoute: () => tokensRoute,
  path: "$id/usage",
  component: lazyRouteComponent(() => import("../../features/tokens/usage/token-usage-sheet.tsx"), "TokenUsageSheet"),
});

const chatPage = lazyPage("tokens", () => import("../../features/tokens/chat/chat-page.tsx"), "ChatPage");
const chatRoute = createRoute({ getParentRoute: () => signedInRoute, path: "/chat", component: chatPage });
const chatOneRoute = createRoute({ getParentRoute: () => signedInRoute, path: "/chat/$id", component: chatPage });
const chatLinkRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/chat2link",
  component: lazyPage("tokens", () => import("../../features/tokens/chat/chat-link-page.tsx"), "ChatLinkPage"),
});

/** A user's tokens, and the chat clients that use them. */
export const tokenRoutes = [
  tokensRoute.addChildren([tokenNewRoute, tokenEditRoute, tokenUsageRoute]),
  chatRoute,
  chatOneRoute,
  chatLinkRoute,
] as const;
