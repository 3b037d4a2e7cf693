import { AppError } from "@turnpike/shared/errors/app-error";
import express, { type Request, type Response } from "express";
import { z } from "zod";
import type { Access, Input, RouteSpec } from "./route-spec.ts";

/** What a route reads. */
type Shapes<P, Q, B> = Pick<RouteSpec<Access, P, Q, B, unknown>, "params" | "query" | "body" | "isBodyOptional">;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Clients of this family send null for "not given". */
const withoutNulls = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** Names the invalid fields; the validator's messages appear in the log only. */
function parse<Output>(schema: z.core.$ZodType<Output>, value: unknown): Output {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const fields = [...new Set(result.error.issues.map((issue) => issue.path.join(".")))];
  throw new AppError("invalid_input", z.prettifyError(result.error), { params: { detail: fields.join(", ") } });
}

const BODY_LIMIT = "1mb";
const parseJson = express.json({ limit: BODY_LIMIT, type: () => true });
/** LiteLLM's list of prices has 3 MB. */
const LARGE_BODY_LIMIT = "6mb";
const parseLargeJson = express.json({ limit: LARGE_BODY_LIMIT, type: () => true });

/** Receives and parses a JSON body. Rejects with the framework's error for one that is too large or not JSON. */
export const readJsonBody = (request: Request, response: Response, isLarge = false): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: unknown): void => (error === undefined ? resolve() : reject(error as Error));
    (isLarge ? parseLargeJson : parseJson)(request, response, done);
  });

/** The body parser turns an empty body into an empty object. */
const getBody = (request: Request): unknown => (request.get("content-length") === "0" ? undefined : request.body);

function parseBody<Output>(schema: z.core.$ZodType<Output>, body: unknown): Output {
  if (!isObject(body)) throw new AppError("body_unreadable", "the body is not a JSON object");
  return parse(schema, withoutNulls(body));
}

/**
 * Reads a request by the route's schemas. Throws body_unreadable for a body that is not a JSON object, and
 * invalid_input (naming the fields) for invalid values.
 */
export function parseInput<P, Q, B>(spec: Shapes<P, Q, B>, request: Request): Input<P, Q, B> {
  return {
    // Without a schema the part's type is undefined.
    params: spec.params ? parse(spec.params, request.params) : (undefined as P),
    query: spec.query ? parse(spec.query, request.query) : (undefined as Q),
    body: spec.body
      ? parseBody(spec.body, getBody(request) ?? (spec.isBodyOptional ? {} : undefined))
      : (undefined as B),
  };
}
