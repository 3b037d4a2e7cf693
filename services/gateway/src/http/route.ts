import { ROLE } from "@turnpike/contract/codes";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Request, RequestHandler } from "express";
import type { z } from "zod";
import type { ApiResponse, ReadonlyParts } from "./api-response.ts";
import type { Authenticate, Caller, Use } from "./authenticator.ts";
import { parseInput, readJsonBody } from "./request-input.ts";
import { getRequestContext, type RequestContext } from "./request-context.ts";
import { isFromThisSite } from "./same-site.ts";

/**
 * Who may call: any visitor without a session lookup, any visitor (identified when signed in), or only users of at
 * least that role.
 */
export type Access = "anyone" | "anyone-known" | "user" | "admin";
type CallerFor<A extends Access> = A extends "anyone"
  ? undefined
  : A extends "anyone-known"
    ? Caller | undefined
    : Caller;

/**
 * What a route is: who may call it, the shapes it reads and returns, and whether a GET of it changes something. The
 * OpenAPI document is made of it.
 */
export type RouteSpec<A extends Access, P, Q, B, R> = {
  readonly access: A;
  /** A few words in the imperative: "List tokens". */
  readonly summary: string;
  /** The body of a success, and CSV where the route returns a file. */
  readonly returns: z.core.$ZodType<unknown, R>;
  readonly params?: z.core.$ZodType<P>;
  readonly query?: z.core.$ZodType<Q>;
  readonly body?: z.core.$ZodType<B>;
  readonly changesState?: boolean;
  /** An option can close the route to all callers: 403. */
  readonly canBeClosed?: boolean;
  /** The body may be an uploaded file of some megabytes. */
  readonly hasLargeBody?: boolean;
  /** The body may be missing, which reads as an empty object. */
  readonly isBodyOptional?: boolean;
  /** A browser that navigates here is redirected to a page. */
  readonly redirects?: boolean;
};
/** A spec of any route. */
export type AnyRouteSpec = RouteSpec<Access, unknown, unknown, unknown, unknown>;

const specs = new WeakMap<object, AnyRouteSpec>();

/** The spec of a handler; undefined for handlers that are not routes. */
export const getRouteSpec = (handler: object): AnyRouteSpec | undefined => specs.get(handler);

/** Stores the spec of a handler that `createRoute` did not create. */
export function describeRoute(handler: RequestHandler, spec: AnyRouteSpec): RequestHandler {
  specs.set(handler, spec);
  return handler;
}

export type Input<P, Q, B> = { readonly params: P; readonly query: Q; readonly body: B };
/** What a route receives besides its input. `call` is passed to every service call. */
export type RouteContext<A extends Access> = {
  readonly caller: CallerFor<A>;
  readonly call: CallOptions;
  readonly facts: RequestContext;
  readonly request: Request;
};

type Returned<R> = Promise<ApiResponse<ReadonlyParts<R>>> | ApiResponse<ReadonlyParts<R>>;

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
