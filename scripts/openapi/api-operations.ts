import { ERRORS } from "../../services/contract/src/errors.ts";
import { CSV } from "../../services/gateway/src/http/export/csv.ts";
import type { AnyRouteSpec } from "../../services/gateway/src/http/route-spec.ts";
import type { ListedRoute } from "../../services/gateway/src/routes/route-list.ts";
import { z } from "zod/mini";
import type { JsonSchema } from "./contract-schemas.ts";
import { describeParameter } from "./parameter-texts.ts";

type Schema = z.core.$ZodType;

/** A route with a spec, and the keys of its schemas among those that are converted. */
export type Operation = ListedRoute & { readonly spec: AnyRouteSpec; readonly key: string };

/** The route's path as OpenAPI writes it: `/api/user/{id}`. */
export const toOpenApiPath = (path: string): string => `/api${path.replaceAll(/:(\w+)/g, "{$1}")}`;

/** `GET /user/:id` is getUserById. */
export function toOperationId({ method, path }: ListedRoute): string {
  const words = path.split(/[/_.-]/).map((word) => (word.startsWith(":") ? `by-${word.slice(1)}` : word));
  const parts = words.flatMap((word) => word.split("-")).filter((word) => word !== "");
  return method + parts.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
}

/** The parts of what a route returns: JSON, a CSV file, or one of both. */
function splitReturns(returns: Schema): { json: Schema | undefined; isFile: boolean } {
  if (returns === CSV) return { json: undefined, isFile: true };
  if (returns instanceof z.ZodMiniUnion) {
    const options = returns.def.options as readonly Schema[];
    const rest = options.filter((option) => option !== CSV);
    if (rest.length < options.length) return { json: rest[0], isFile: true };
  }
  return { json: returns, isFile: false };
}

/** The schemas that operations read, by key and part. */
export const listInputs = (operations: readonly Operation[]): Map<string, Schema> =>
  new Map(
    operations.flatMap(({ key, spec }) =>
      (["params", "query", "body"] as const).flatMap((part) => {
        const schema = spec[part];
        return schema ? [[`${key} ${part}`, schema] as const] : [];
      }),
    ),
  );

/** The schemas that operations return, by key. */
export const listOutputs = (operations: readonly Operation[]): Map<string, Schema> =>
  new Map(
    operations.flatMap(({ key, spec }) => {
      const { json } = splitReturns(spec.returns);
      return json ? [[key, json] as const] : [];
    }),
  );

export type Converted = {
  readonly inputs: ReadonlyMap<string, JsonSchema>;
  readonly outputs: ReadonlyMap<string, JsonSchema>;
  /** Resolves a reference to a component. */
  readonly resolve: (reference: string) => JsonSchema;
};

/** The fields of an object's schema, through references and intersections. */
function listFields(schema: JsonSchema | undefined, resolve: Converted["resolve"]): Record<string, JsonSchema> {
  if (!schema) return {};
  if (typeof schema["$ref"] === "string") return listFields(resolve(schema["$ref"]), resolve);
  const parts = ((schema["allOf"] ?? []) as JsonSchema[]).map((part) => listFields(part, resolve));
  return Object.assign({}, ...parts, schema["properties"]) as Record<string, JsonSchema>;
}

/** The fields without which a query is refused. */
const listRequired = (schema: Schema | undefined): string[] =>
  schema ? (z.safeParse(schema, {}).error?.issues ?? []).map(({ path }) => String(path[0])) : [];

const getCallbackFields = (path: string): readonly string[] =>
  path.includes("telegram")
    ? ["id", "first_name", "last_name", "username", "photo_url", "auth_date", "hash"]
    : ["code", "state"];

function toParameters({ key, path, spec }: Operation, { inputs, resolve }: Converted): JsonSchema[] {
  const toParameter = (place: "path" | "query", name: string, schema: JsonSchema, required: boolean) => {
    const { description = describeParameter(path, name), ...rest } = schema;
    return { name, in: place, required, description, schema: rest };
  };
  const inPath = listFields(inputs.get(`${key} params`), resolve);
  const query = listFields(inputs.get(`${key} query`), resolve);
  const required = listRequired(spec.query);
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  return [
    ...names.map((name) => toParameter("path", name, inPath[name] ?? { type: "string" }, true)),
    ...Object.entries(query).map(([name, schema]) => toParameter("query", name, schema, required.includes(name))),
    // Sign-in providers choose the parameters of their callbacks.
    ...(spec.query && Object.keys(query).length === 0
      ? getCallbackFields(path).map((name) => toParameter("query", name, { type: "string", maxLength: 8192 }, false))
      : []),
  ];
}

const FAILURE = { $ref: "#/components/schemas/Failure" };

/** HTTP statuses of failures that any route, or only routes of some kind, can return. */
function listFailures({ path, spec, method }: Operation): number[] {
  const statuses = new Set([429, 431, 500, 503]);
  if (spec.body) for (const status of [400, 413]) statuses.add(status);
  if (spec.access !== "anyone") for (const status of [401, 403]) statuses.add(status);
  if (method !== "get" || spec.changesState || spec.canBeClosed) statuses.add(403);
  if (path.includes(":")) statuses.add(404);
  // Callbacks of sign-in providers must come from the site's own page.
  if (path.startsWith("/oauth/")) for (const status of [401, 403]) statuses.add(status);
  return [...statuses].toSorted((a, b) => a - b);
}

/** Codes of business failures, which have status 200. */
const BUSINESS_CODES = Object.entries(ERRORS).filter(([, { http }]) => http === 200);

function toResponses(operation: Operation, { outputs }: Converted): JsonSchema {
  const { key, spec } = operation;
  const { json, isFile } = splitReturns(spec.returns);
  const success = outputs.get(key);
  const isEnvelope = key !== "get /openapi.json";
  // A route that states its refusals itself has a union already.
  const all = success?.["anyOf"] ?? (success && json ? [success, FAILURE] : undefined);
  const outcome = all ? { anyOf: all } : FAILURE;
  const body = isEnvelope ? outcome : success;
  const content = {
    "application/json": { schema: body },
    ...(isFile ? { "text/csv": { schema: { type: "string" } } } : {}),
  };
  const redirect = { "302": { description: "A page of the console, for browsers that navigate here.", content } };
  return {
    "200": { description: isEnvelope ? "The response, or a refusal with its code." : "The document.", content },
    ...(spec.redirects ? redirect : {}),
    ...Object.fromEntries(
      listFailures(operation).map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]),
    ),
  };
}

/** Why a request failed, by HTTP status. */
const FAILURES: Readonly<Record<number, string>> = {
  400: "The body is not a JSON object.",
  401: "No session and no valid access token.",
  403: "The role does not allow this, the request comes from another site, or an option closes this path.",
  404: "No such path.",
  413: "The body is too large.",
  431: "The address or the headers are too large.",
  429: "Too many requests; `Retry-After` gives the seconds to wait.",
  500: "A fault of the server; `params.request_id` names the request.",
  503: "A service is unavailable; `Retry-After` gives the seconds to wait.",
};

/** The components that responses of failures refer to. */
export const FAILURE_RESPONSES = Object.fromEntries(
  Object.entries(FAILURES).map(([status, description]) => [
    `Failure${status}`,
    {
      description,
      ...(["429", "503"].includes(status)
        ? { headers: { "Retry-After": { description: "Seconds.", schema: { type: "integer" } } } }
        : {}),
      // The server refuses these before it reads a request.
      ...(status === "431" ? {} : { content: { "application/json": { schema: FAILURE } } }),
    },
  ]),
);

/** All codes, those of business failures first. */
export const FAILURE_CODES = [...new Set([...BUSINESS_CODES.map(([code]) => code), ...Object.keys(ERRORS)])];

const ACCESS = {
  anyone: { text: "Without authentication.", security: [] },
  "anyone-known": {
    text: "Without authentication; a signed-in user may get more.",
    security: [{}, { session: [] }, { accessToken: [] }],
  },
  user: { text: "For users.", security: [{ session: [] }, { accessToken: [] }] },
  admin: { text: "For administrators.", security: [{ session: [] }, { accessToken: [] }] },
} as const satisfies Record<AnyRouteSpec["access"], object>;

/** What the operations of each first word of a path are about; all others belong to the site. */
export const TAGS: Readonly<Record<string, string>> = {
  admin: "Messages from administrators to users.",
  channel: "Upstream accounts and their health.",
  data: "Usage by hour and model.",
  ledger: "Credits, and their reconciliation.",
  log: "The usage log.",
  mj: "Image tasks.",
  model_mapping: "For consoles that read it.",
  oauth: "Sign-in with third parties.",
  option: "Settings and prices.",
  order: "Purchases of quota.",
  "payment-callbacks": "Called by payment providers.",
  redemption: "Redemption and gift codes.",
  site: "The site: set-up, public data, groups, audit.",
  task: "Music tasks.",
  token: "Tokens of the model API.",
  user: "Users: sign-in, own account, administration.",
};

/** One operation of the document. */
export function toOperation(operation: Operation, converted: Converted): JsonSchema {
  const { key, path, spec } = operation;
  const { text, security } = ACCESS[spec.access];
  const parameters = toParameters(operation, converted);
  const body = converted.inputs.get(`${key} body`);
  const [area = ""] = path.split("/").filter((word) => word !== "");
  return {
    operationId: toOperationId(operation),
    summary: spec.summary,
    description: `${text}${spec.changesState ? " Changes state, although it is a GET." : ""}`,
    tags: [area in TAGS ? area : "site"],
    security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body
      ? { requestBody: { required: spec.isBodyOptional !== true, content: { "application/json": { schema: body } } } }
      : {}),
    responses: toResponses(operation, converted),
  };
}
