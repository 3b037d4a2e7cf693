import { createRoute } from "../../services/gateway/src/http/route.ts";
import { apiAreas } from "../../services/gateway/src/routes/index.ts";
import { type ListedRoute, listRoutes } from "../../services/gateway/src/routes/route-list.ts";
import type { RoutesDeps } from "../../services/gateway/src/routes/routes-deps.ts";
import {
  type Converted,
  FAILURE_CODES,
  FAILURE_RESPONSES,
  listInputs,
  listOutputs,
  type Operation,
  TAGS,
  toOpenApiPath,
  toOperation,
} from "./api-operations.ts";
import { convertSchemas, type JsonSchema, readContractSchemas } from "./contract-schemas.ts";
import { byName, isReferred, toLenient } from "./json-schema.ts";
import { PAYMENT_HOOK_PATHS } from "./payment-hook-paths.ts";

const TEXT = `The API of the console. Its paths and shapes are those of one-api, new-api and Veloera.

A response is \`{success, message, data}\`. A refusal has status 200, \`success: false\`, a \`code\`, the \`params\` of its sentence, and the sentence in the language of
\`Accept-Language\` as \`message\`. Amounts are quota units, times are unix seconds, unless stated otherwise. Paths work with and without a slash at the end. Scripts send
an access token (\`GET /api/user/token\` creates it) as \`Authorization: Bearer\`.`;

/** Handlers are never called here, so their dependencies are not needed. */
const NO_DEPS = {
  services: {},
  options: {},
  program: {},
  readSetupState: () => Promise.reject(new Error("not served")),
  route: createRoute({ authenticate: () => Promise.resolve(undefined), serverAddress: () => "" }),
} as unknown as RoutesDeps;

/** Every route of /api except the callbacks of payment providers. */
export const listServedRoutes = (): ListedRoute[] => listRoutes(apiAreas(NO_DEPS));

/** Every route of /api with a spec, with `GET /user/:id` as its key; of two equal ones the first. */
export function listOperations(): Operation[] {
  const byKey = new Map<string, Operation>();
  for (const route of listServedRoutes()) {
    const key = `${route.method} ${route.path}`;
    if (route.spec && !byKey.has(key)) byKey.set(key, { ...route, spec: route.spec, key });
  }
  return [...byKey.values()];
}

async function convert(operations: readonly Operation[]): Promise<Converted & { components: Map<string, JsonSchema> }> {
  const schemas = await readContractSchemas();
  const output = convertSchemas(schemas, listOutputs(operations), { io: "output", nameOf: (name) => name });
  // A schema that is read and returned has two forms: before and after its defaults.
  const isReturned = isReferred(output.components, [...output.converted.values()]);
  const input = convertSchemas(schemas, listInputs(operations), {
    io: "input",
    nameOf: (name) => (isReturned(name) ? `${name}Input` : name),
  });
  const components = new Map([...output.components, ...input.components]);
  const resolve = (reference: string): JsonSchema => input.components.get(reference.split("/").at(-1) ?? "") ?? {};
  return { inputs: input.converted, outputs: output.converted, resolve, components };
}

function toFailure(schema: JsonSchema): JsonSchema {
  const properties = schema["properties"] as Record<string, JsonSchema>;
  return { ...schema, properties: { ...properties, code: { type: "string", enum: FAILURE_CODES } } };
}

/**
 * The OpenAPI document of /api. Published, it allows further fields, which a later version may add; `isStrict` allows
 * only those that it names, for tests.
 */
export async function createApiDocument({ version, isStrict = false }: { version: string; isStrict?: boolean }) {
  const operations = listOperations();
  const converted = await convert(operations);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const path = toOpenApiPath(operation.path);
    paths[path] = { ...paths[path], [operation.method]: toOperation(operation, converted) };
  }
  const { components } = converted;
  components.set("Failure", toFailure(components.get("Failure") ?? {}));
  const all = { ...paths, ...PAYMENT_HOOK_PATHS };
  const isUsed = isReferred(components, [all, FAILURE_RESPONSES]);
  const schemas = Object.fromEntries([...components].filter(([name]) => isUsed(name)).toSorted(byName));
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Turnpike console API",
      version,
      description: TEXT,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: all,
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "session", description: "The session of a browser." },
        accessToken: { type: "http", scheme: "bearer", description: "An access token of a user." },
      },
      responses: FAILURE_RESPONSES,
      schemas,
    },
  };
  return isStrict ? document : (toLenient(document) as typeof document);
}
