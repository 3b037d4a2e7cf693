import { describe, expect, it } from "vitest";
import {
  listModelApiExamples,
  MODEL_API_PATHS,
  UNIMPLEMENTED_PATTERNS,
} from "../../services/contract/src/api/models/model-api-paths.ts";
import { paymentHooks } from "../../services/gateway/src/routes/billing/payment-hooks.ts";
import { listRoutes } from "../../services/gateway/src/routes/route-list.ts";
import { findRoute } from "../../services/relay/src/http/routes/route-table.ts";
import { createApiDocument, listOperations, listServedRoutes } from "./api-document.ts";
import { toOpenApiPath } from "./api-operations.ts";
import { listStaleFiles } from "./files.ts";
import { createModelDocument } from "./model-document.ts";
import { MODEL_OPERATIONS } from "./model-operations.ts";

it("keeps the stored descriptions and types current; make openapi writes them", async () => {
  expect((await listStaleFiles()).map(([name]) => name)).toEqual([]);
  // Types are generated from the whole description: seconds, on a busy machine many.
}, 60_000);

const api = await createApiDocument({ version: "test" });
const paths: Readonly<Record<string, Readonly<Record<string, { operationId?: unknown }>>>> = api.paths;

describe("the document of /api", () => {
  it("contains every route that the gateway serves", () => {
    const hooks = listRoutes([["/", paymentHooks({ payments: {} as never })]]);
    const missing = [...listServedRoutes(), ...hooks]
      .filter(({ method, path }) => method !== "_all" && paths[toOpenApiPath(path)]?.[method] === undefined)
      .map(({ method, path }) => `${method} ${path}`);
    expect(missing).toEqual([]);
  });

  it("contains no path that the gateway does not serve", () => {
    const hooks = listRoutes([["/", paymentHooks({ payments: {} as never })]]);
    const served = new Set(
      [...listOperations(), ...hooks].map(({ method, path }) => `${method} ${toOpenApiPath(path)}`),
    );
    const listed = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((m) => `${m} ${path}`));
    expect(listed.filter((name) => !served.has(name))).toEqual([]);
  });

  it("names every operation once", () => {
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(ids.length).toBe(new Set(ids).size);
  });
});

const model = await createModelDocument({ version: "test" });
const PATTERNS = Object.keys(model.paths).map(
  (path) => new RegExp(`^${path.replaceAll(/[.]/g, String.raw`\.`).replaceAll(/\{\w+\}/g, ".+")}$`),
);
/** A path as the document has it: without the prefixes that stand for the same path. */
const withoutPrefix = (path: string): string =>
  path
    .replace(/^\/hf/, "")
    .replace(/^\/(?:mj-)?(?:fast|relax|turbo)\/mj\//, "/mj/")
    .replace(/^\/v1\/dashboard/, "/dashboard")
    .replace(/^\/v1\/models\/(.+:\w+)$/, "/v1beta/models/$1");

describe("the document of the model API", () => {
  it("contains every path that the relay serves", () => {
    const unimplemented = new Set(UNIMPLEMENTED_PATTERNS.flatMap(({ examples }) => examples));
    const served = listModelApiExamples().filter((path) => !unimplemented.has(path));
    expect(served.filter((path) => !PATTERNS.some((pattern) => pattern.test(withoutPrefix(path))))).toEqual([]);
    expect(Object.values(MODEL_API_PATHS).filter((path) => !(path in model.paths))).toEqual([]);
  });

  it.each(MODEL_OPERATIONS.map(({ method, path }) => [method.toUpperCase(), path] as const))(
    "contains only what the relay serves: %s %s",
    (method, path) => {
      const kind = findRoute(method, path.replaceAll(/\{\w+\}/g, "x"))?.kind;
      expect(kind).toBeDefined();
      expect(["unimplemented", "wrong-method"]).not.toContain(kind);
    },
  );

  it("names the headers of calls that are charged, and of no others", () => {
    const names = (id: string): string[] => {
      const operation = MODEL_OPERATIONS.find((one) => one.id === id);
      const described = model.paths[operation?.path ?? ""]?.[operation?.method ?? "get"] ?? {};
      return [...JSON.stringify(described).matchAll(/#\/components\/(?:headers|parameters)\/([\w-]+)/g)].map(
        ([, name = ""]) => name,
      );
    };
    const charged = ["x-request-id", "x-turnpike-cost", "idempotent-replayed", "IdempotencyKey", "MaxCost"];
    const routed = ["x-turnpike-model", "x-turnpike-attempts"];
    for (const id of ["createChatCompletion", "createResponse", "generateContent", "createPlaygroundCompletion"])
      expect(names(id)).toEqual(expect.arrayContaining([...charged, ...routed, "x-ratelimit-remaining-tokens"]));
    expect(names("createMessage")).toEqual(
      expect.arrayContaining([...charged, ...routed, "anthropic-ratelimit-tokens-remaining"]),
    );
    for (const id of ["submitImageTask", "submitMusicTask"])
      expect(names(id)).toEqual(["IdempotencyKey", "x-request-id", "x-turnpike-cost", "idempotent-replayed"]);
    for (const id of ["listModels", "countMessageTokens", "readImageTask"]) expect(names(id)).toEqual(["x-request-id"]);
  });
});
