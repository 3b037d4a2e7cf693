import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { listSearch } from "../../components/data-table/use-list-search.ts";
import { choiceSearch, createSearchParser, textSearch, wholeSearch } from "../../lib/text/search.ts";
import { adminRoute, rootRoute } from "./areas.ts";
import { lazyPage } from "./lazy-page.ts";

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
  component: lazyPage("channels", () => import("../../features/channels/channels-page.tsx"), "ChannelsPage"),
});
const channelEditor = lazyPage(
  "channel-editor",
  () => import("../../features/channels/editor/channel-editor.tsx"),
  "ChannelEditor",
);
const channelNewRoute = createRoute({ getParentRoute: () => channelsRoute, path: "new", component: channelEditor });
const channelEditRoute = createRoute({ getParentRoute: () => channelsRoute, path: "$id", component: channelEditor });
const channelHealthRoute = createRoute({
  getParentRoute: () => channelsRoute,
  path: "$id/health",
  component: lazyRouteComponent(
    () => import("../../features/channels/health/channel-health-sheet.tsx"),
    "ChannelHealthSheet",
  ),
});
const channelReportRoute = createRoute({
  getParentRoute: () => channelsRoute,
  path: "$id/report",
  component: lazyRouteComponent(
    () => import("../../features/channels/health/channel-report-sheet.tsx"),
    "ChannelReportSheet",
  ),
});
const tagEditRoute = createRoute({
  getParentRoute: () => channelsRoute,
  path: "tags/$tag",
  component: lazyPage("channel-editor", () => import("../../features/channels/tags/tag-editor.tsx"), "TagEditor"),
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

/** Addresses of channel pages in other consoles of this family, kept for bookmarks. */
export const oldChannelRoutes = [channelAddRoute, channelOldEditRoute] as const;

const redemptionCodesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/admin/coupons",
  validateSearch: createSearchParser({ ...listSearch, keyword: textSearch }),
  component: lazyPage(
    "redemption-codes",
    () => import("../../features/redemption-codes/redemption-codes-page.tsx"),
    "RedemptionCodesPage",
  ),
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

/** Administration of upstream accounts and redemption codes. */
export const channelRoutes = [
  channelsRoute.addChildren([channelNewRoute, channelEditRoute, channelHealthRoute, channelReportRoute, tagEditRoute]),
  redemptionCodesRoute.addChildren([redemptionCodeNewRoute, redemptionCodeEditRoute]),
] as const;
