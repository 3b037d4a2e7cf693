import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { loadAreaTexts } from "../../lib/i18n.ts";
import { choiceSearch, createSearchParser, textSearch } from "../../lib/search.ts";
import { signedInRoute } from "./areas.ts";

const tokensRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/app/tokens",
  validateSearch: createSearchParser({
    ...listSearch,
    keyword: textSearch,
    token: textSearch,
    days: choiceSearch(1, 7, 30),
  }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/tokens/tokens-page.tsx"), loadAreaTexts("tokens")]);
    return page;
  }, "TokensPage"),
});
const tokenEditor = lazyRouteComponent(() => import("../../features/tokens/token-editor.tsx"), "TokenEditor");
const tokenNewRoute = createRoute({ getParentRoute: () => tokensRoute, path: "new", component: tokenEditor });
const tokenEditRoute = createRoute({ getParentRoute: () => tokensRoute, path: "$id", component: tokenEditor });
const tokenUsageRoute = createRoute({
  getParentRoute: () => tokensRoute,
  path: "$id/usage",
  component: lazyRouteComponent(() => import("../../features/tokens/token-usage-sheet.tsx"), "TokenUsageSheet"),
});

const chatPage = lazyRouteComponent(async () => {
  const [page] = await Promise.all([import("../../features/tokens/chat/chat-page.tsx"), loadAreaTexts("tokens")]);
  return page;
}, "ChatPage");
const chatRoute = createRoute({ getParentRoute: () => signedInRoute, path: "/chat", component: chatPage });
const chatOneRoute = createRoute({ getParentRoute: () => signedInRoute, path: "/chat/$id", component: chatPage });
const chatLinkRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/chat2link",
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([
      import("../../features/tokens/chat/chat-link-page.tsx"),
      loadAreaTexts("tokens"),
    ]);
    return page;
  }, "ChatLinkPage"),
});

/** A user's keys, and the chat clients that are opened with one. */
export const tokenRoutes = [
  tokensRoute.addChildren([tokenNewRoute, tokenEditRoute, tokenUsageRoute]),
  chatRoute,
  chatOneRoute,
  chatLinkRoute,
] as const;
