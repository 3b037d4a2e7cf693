import { ROLE } from "@turnpike/contract/limits";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Request, RequestHandler } from "express";
import type { z } from "zod";
import type { ApiResponse } from "./api-response.ts";
import type { Authenticate, Caller } from "./authenticator.ts";
import { parseInput } from "./request-input.ts";
import { getRequestContext, type RequestContext } from "./request-context.ts";
import { isFromThisSite } from "./same-site.ts";

/** Who may call: anybody unasked, anybody (known when signed in), or only people of at least that role. */
export type Access = "anyone" | "anyone-known" | "user" | "admin";
type CallerFor<A extends Access> = A extends "anyone"
  ? undefined
  : A extends "anyone-known"
    ? Caller | undefined
    : Caller;

/** What a route is: who may call it, the shapes it reads, and whether a GET of it changes something. */
export type RouteSpec<A extends Access, P, Q, B> = {
  readonly access: A;
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.ZodType<B>;
  readonly changesState?: boolean;
  /** The body may be missing, which reads as an empty object. */
  readonly isBodyOptional?: boolean;
};
export type Input<P, Q, B> = { readonly params: P; readonly query: Q; readonly body: B };
/** What a route knows beside its input. `call` goes along with every call to a service. */
export type RouteContext<A extends Access> = {
  readonly caller: CallerFor<A>;
  readonly call: CallOptions;
  readonly facts: RequestContext;
  readonly request: Request;
};

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
  if (caller.user.role < needed) throw new AppError("permission_denied", `role ${needed} is needed`);
}

/** A path that ends in a word where a number would stand is another path: one that does not exist. */
const isOtherPath = (request: Request): boolean => /^[a-z][a-z_-]*$/i.test(String(request.params["id"] ?? ""));

/**
 * Creates route handlers: each is a schema for its input and a function from parsed input to a response. Before the
 * function runs, the origin, the caller and the role are checked, in that order; errors become the error response.
 */
export function createRoute(deps: { authenticate: Authenticate; serverAddress: () => string }) {
  const checkOrigin = (request: Request, facts: RequestContext, changesState: boolean): void => {
    if (!changesState && (request.method === "GET" || request.method === "HEAD")) return;
    const { headers } = request;
    if (isFromThisSite({ headers, serverAddress: deps.serverAddress(), isProxied: facts.isProxied })) return;
    throw new AppError("cross_site_refused", "the browser says that another site sent this");
  };
  return function route<A extends Access, P = undefined, Q = undefined, B = undefined>(
    spec: RouteSpec<A, P, Q, B>,
    run: (input: Input<P, Q, B>, context: RouteContext<A>) => Promise<ApiResponse> | ApiResponse,
  ): RequestHandler {
    return async (request, response, next) => {
      if (isOtherPath(request)) return next();
      const facts = getRequestContext(request);
      checkOrigin(request, facts, spec.changesState ?? false);
      const caller =
        spec.access === "anyone" ? undefined : await deps.authenticate(request.headers, { requestId: facts.requestId });
      checkRole(spec.access, caller);
      const answer = await run(parseInput(spec, request), {
        // checkRole has made sure of it.
        caller: caller as CallerFor<A>,
        call: actorCall(facts, caller),
        facts,
        request,
      });
      if (answer.send) return answer.send(response);
      response.status(answer.status ?? 200).set(answer.headers ?? {});
      if (typeof answer.body === "string") response.send(answer.body);
      else response.json(answer.body);
    };
  };
}

export type Route = ReturnType<typeof createRoute>;
