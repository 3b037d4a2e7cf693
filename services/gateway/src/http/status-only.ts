import type { RequestHandler } from "express";

/** Chooses between the two forms of an edit: `?status_only=true` changes the status alone. */
export function chooseByStatusOnly(routes: { statusOnly: RequestHandler; whole: RequestHandler }): RequestHandler {
  return (request, response, next) => {
    const asked = request.query["status_only"];
    return (asked === "true" || asked === "1" ? routes.statusOnly : routes.whole)(request, response, next);
  };
}
