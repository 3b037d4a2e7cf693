import { createRoute } from "@tanstack/react-router";
import { signedInRoute } from "./areas.ts";
import { lazyPage } from "./lazy-page.ts";

/** The page for trying models. */
export const playgroundRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/playground",
  component: lazyPage("playground", () => import("../../features/playground/playground-page.tsx"), "PlaygroundPage"),
});
