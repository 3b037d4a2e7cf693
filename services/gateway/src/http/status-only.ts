import { queryFlag } from "@turnpike/contract/api/common";
import type { RequestHandler } from "express";
import { z } from "zod/mini";
import { describeRoute, getRouteSpec } from "./route.ts";

const StatusOnlyQuery = z.object({ status_only: queryFlag });

/** Selects between the two forms of an edit: `?status_only=true` changes the status only. */
export function chooseByStatusOnly(routes: { statusOnly: RequestHandler; whole: RequestHandler }): RequestHandler {
  const handler: RequestHandler = (request, response, next) => {
    const value = request.query["status_only"];
    return (value === "true" || value === "1" ? routes.statusOnly : routes.whole)(request, response, next);
  };
  const [whole, statusOnly] = [getRouteSpec(routes.whole), getRouteSpec(routes.statusOnly)];
  if (!whole?.body || !statusOnly?.body) throw new Error("both forms of an edit must be routes with a body");
  const body = z.union([whole.body, statusOnly.body]);
  return describeRoute(handler, { ...whole, query: StatusOnlyQuery, body });
}
