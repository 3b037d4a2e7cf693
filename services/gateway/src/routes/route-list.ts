import type { Router } from "express";
import { getRouteSpec } from "../http/route.ts";
import type { AnyRouteSpec } from "../http/route-spec.ts";
import type { Area } from "./index.ts";

/** One route: its method, its path below /api with parameters as `:id`, and its spec if a route handler serves it. */
export type ListedRoute = { readonly method: string; readonly path: string; readonly spec: AnyRouteSpec | undefined };

const join = (start: string, end: string): string => `${start === "/" ? "" : start}${end}`;

/** The routes of a router and of the routers in it, which are all mounted at its own path. */
function listRouter(router: Router, mount: string): ListedRoute[] {
  return router.stack.flatMap(({ route, handle }) => {
    if (!route) return "stack" in handle ? listRouter(handle as unknown as Router, mount) : [];
    return [route.path].flat().flatMap((path) =>
      route.stack
        .filter(({ method }) => typeof method === "string")
        .map(({ method, handle: serve }) => ({
          method,
          path: join(mount, path),
          spec: getRouteSpec(serve),
        })),
    );
  });
}

/** All routes of areas, in the order in which they match. */
export const listRoutes = (areas: readonly Area[]): ListedRoute[] =>
  areas.flatMap(([mount, ...routers]) => routers.flatMap((router) => listRouter(router, mount)));
