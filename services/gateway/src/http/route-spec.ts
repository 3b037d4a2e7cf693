import type { CallOptions } from "@turnpike/shared/grpc/client";
import type { Request } from "express";
import type { z } from "zod";
import type { ApiResponse, ReadonlyParts } from "./api-response.ts";
import type { Caller } from "./caller.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Who may call: any visitor without a session lookup, any visitor (identified when signed in), or only users of at
 * least that role.
 */
export type Access = "anyone" | "anyone-known" | "user" | "admin";

export type CallerFor<A extends Access> = A extends "anyone"
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

export type Input<P, Q, B> = { readonly params: P; readonly query: Q; readonly body: B };

/** What a route receives besides its input. `call` is passed to every service call. */
export type RouteContext<A extends Access> = {
  readonly caller: CallerFor<A>;
  readonly call: CallOptions;
  readonly facts: RequestContext;
  readonly request: Request;
};

export type Returned<R> = Promise<ApiResponse<ReadonlyParts<R>>> | ApiResponse<ReadonlyParts<R>>;
