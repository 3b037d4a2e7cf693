import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { loadAreaTexts } from "../../lib/i18n.ts";
import { signedInRoute } from "./areas.ts";

/** Where models are tried out. */
export const playgroundRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/playground",
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([
      import("../../features/playground/playground-page.tsx"),
      loadAreaTexts("playground"),
    ]);
    return page;
  }, "PlaygroundPage"),
});
