import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { loadAreaTexts } from "../../lib/i18n.ts";
import { choiceSearch, createSearchParser, textSearch, wholeSearch } from "../../lib/search.ts";
import { adminRoute, rootRoute } from "./areas.ts";

const channelsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/channels",
  validateSearch: createSearchParser({
    ...listSearch,
    keyword: textSearch,
    model: textSearch,
    group: textSearch,
    sort: choiceSearch("id", "priority"),
    view: choiceSearch("tags", "list"),
    copy: wholeSearch(0),
  }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([import("../../features/channels/channels-page.tsx"), loadAreaTexts("channels")]);
    return page;
  }, "ChannelsPage"),
});
const channelEditor = lazyRouteComponent(async () => {
  const [page] = await Promise.all([
    import("../../features/channels/channel-editor.tsx"),
    loadAreaTexts("channel-editor"),
  ]);
  return page;
}, "ChannelEditor");
const channelNewRoute = createRoute({ getParentRoute: () => channelsRoute, path: "new", component: channelEditor });
const channelEditRoute = createRoute({ getParentRoute: () => channelsRoute, path: "$id", component: channelEditor });
const channelHealthRoute = createRoute({
  getParentRoute: () => channelsRoute,
  path: "$id/health",
  component: lazyRouteComponent(() => import("../../features/channels/channel-health-sheet.tsx"), "ChannelHealthSheet"),
});
const tagEditRoute = createRoute({
  getParentRoute: () => channelsRoute,
  path: "tags/$tag",
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([
      import("../../features/channels/tag-editor.tsx"),
      loadAreaTexts("channel-editor"),
    ]);
    return page;
  }, "TagEditor"),
});

const channelAddRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/channel/add",
  beforeLoad: () => {
    throw redirect({ to: "/admin/channels/new" });
  },
});
const channelOldEditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/channel/edit/$id",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/admin/channels/$id", params });
  },
});

/** Addresses of channel pages that people of this family of consoles have in their bookmarks. */
export const oldChannelRoutes = [channelAddRoute, channelOldEditRoute] as const;

const redemptionCodesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/coupons",
  validateSearch: createSearchParser({ ...listSearch, keyword: textSearch }),
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([
      import("../../features/redemption-codes/redemption-codes-page.tsx"),
      loadAreaTexts("redemption-codes"),
    ]);
    return page;
  }, "RedemptionCodesPage"),
});
const redemptionCodeEditor = lazyRouteComponent(
  () => import("../../features/redemption-codes/redemption-code-editor.tsx"),
  "RedemptionCodeEditor",
);
const redemptionCodeNewRoute = createRoute({
  getParentRoute: () => redemptionCodesRoute,
  path: "new",
  component: redemptionCodeEditor,
});
const redemptionCodeEditRoute = createRoute({
  getParentRoute: () => redemptionCodesRoute,
  path: "$id",
  component: redemptionCodeEditor,
});

/** What admins sell with: upstream accounts and redemption codes. */
export const channelRoutes = [
  channelsRoute.addChildren([channelNewRoute, channelEditRoute, channelHealthRoute, tagEditRoute]),
  redemptionCodesRoute.addChildren([redemptionCodeNewRoute, redemptionCodeEditRoute]),
] as const;
