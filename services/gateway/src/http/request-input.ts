import { AppError } from "@turnpike/shared/errors/app-error";
import type { Request } from "express";
import { z } from "zod";
import type { Input, RouteSpec, Access } from "./route.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Clients of this family send null for "not given". */
const withoutNulls = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** Names the fields that are wrong; the sentences of the checker stay in the log. */
function parse<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = [...new Set(result.error.issues.map((issue) => issue.path.join(".")))];
  throw new AppError("invalid_input", z.prettifyError(result.error), { params: { detail: fields.join(", ") } });
}

/** The body parser reads nothing at all as an empty object. */
const getBody = (request: Request): unknown => (request.get("content-length") === "0" ? undefined : request.body);

function parseBody<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  if (!isObject(body)) throw new AppError("body_unreadable", "the body is not a JSON object");
  return parse(schema, withoutNulls(body));
}

/**
 * Reads a request by the route's schemas. Throws body_unreadable for a body that is not a JSON object, invalid_input (naming the
 * fields) for values that do not fit.
 */
export function parseInput<A extends Access, P, Q, B>(spec: RouteSpec<A, P, Q, B>, request: Request): Input<P, Q, B> {
  return {
    // Without a schema the part's type is undefined.
    params: spec.params ? parse(spec.params, request.params) : (undefined as P),
    query: spec.query ? parse(spec.query, request.query) : (undefined as Q),
    body: spec.body
      ? parseBody(spec.body, getBody(request) ?? (spec.isBodyOptional ? {} : undefined))
      : (undefined as B),
  };
}
