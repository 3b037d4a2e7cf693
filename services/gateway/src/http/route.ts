import { ROLE } from "@turnpike/contract/codes";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Request, RequestHandler } from "express";
import type { Authenticate, Use } from "./authenticator.ts";
import type { Caller } from "./caller.ts";
import { parseInput, readJsonBody } from "./request-input.ts";
import { getRequestContext, type RequestContext } from "./request-context.ts";
import { isFromThisSite } from "./security/same-site.ts";
import type { Access, CallerFor, RouteSpec, AnyRouteSpec, Input, RouteContext, Returned } from "./route-spec.ts";

const specs = new WeakMap<object, AnyRouteSpec>();

/** The spec of a handler; undefined for handlers that are not routes. */
export const getRouteSpec = (handler: object): AnyRouteSpec | undefined => specs.get(handler);

/** Stores the spec of a handler that `createRoute` did not create. */
export function describeRoute(handler: RequestHandler, spec: AnyRouteSpec): RequestHandler {
  specs.set(handler, spec);
  return handler;
}

const ROLE_NEEDED: Readonly<Record<Access, number>> = {
  anyone: 0,
  "anyone-known": 0,
  user: ROLE.user,
  admin: ROLE.admin,
};

function actorCall(facts: RequestContext, caller: Caller | undefined): CallOptions {
  if (!caller) return { requestId: facts.requestId };
  const { id, username, role } = caller.user;
  return { requestId: facts.requestId, actor: { userId: id, username, role, address: facts.address } };
}

function checkRole(access: Access, caller: Caller | undefined): void {
  const needed = ROLE_NEEDED[access];
  if (needed === 0) return;
  if (!caller) throw new AppError("unauthenticated", "no session and no access token");
  if (caller.user.role < needed) throw new AppError("permission_denied", `role ${needed} is required`);
}

/** A word in place of a numeric id makes a different path, which does not exist. */
const isOtherPath = (request: Request): boolean => /^[a-z][a-z_-]*$/i.test(String(request.params["id"] ?? ""));

const getUse = ({ method }: Request, changesState: boolean): Use =>
  !changesState && (method === "GET" || method === "HEAD") ? "read" : "change";

/**
 * Creates route handlers: each is a schema for its input and a function from parsed input to a response. Before the
 * function runs, the origin, the caller and the role are checked, in that order, and only then is the body read; errors become the error response.
 */
export function createRoute(deps: { authenticate: Authenticate; serverAddress: () => string }) {
  const checkOrigin = (request: Request, facts: RequestContext): void => {
    const { headers } = request;
    if (isFromThisSite({ headers, serverAddress: deps.serverAddress(), isProxied: facts.isProxied })) return;
    throw new AppError("cross_site_refused", "the request came from another site");
  };
  return function route<A extends Access, R, P = undefined, Q = undefined, B = undefined>(
    spec: RouteSpec<A, P, Q, B, R>,
    run: (input: Input<P, Q, B>, context: RouteContext<A>) => Returned<R>,
  ): RequestHandler {
    const handler: RequestHandler = async (request, response, next) => {
      if (isOtherPath(request)) return next();
      const facts = getRequestContext(request);
      const use = getUse(request, spec.changesState ?? false);
      if (use === "change") checkOrigin(request, facts);
      const { requestId } = facts;
      const caller =
        spec.access === "anyone" ? undefined : await deps.authenticate(request.headers, { requestId }, use);
      checkRole(spec.access, caller);
      if (spec.body) await readJsonBody(request, response, spec.hasLargeBody);
      const result = await run(parseInput(spec, request), {
        // checkRole guarantees it.
        caller: caller as CallerFor<A>,
        call: actorCall(facts, caller),
        facts,
        request,
      });
      if (result.send) return result.send(response);
      response.status(result.status ?? 200).set(result.headers ?? {});
      if (typeof result.body === "string") response.send(result.body);
      else response.json(result.body);
    };
    return describeRoute(handler, spec);
  };
}

export type Route = ReturnType<typeof createRoute>;
