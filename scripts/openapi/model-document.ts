import type { JsonSchema } from "./contract-schemas.ts";
import { convertSchemas, readContractSchemas } from "./contract-schemas.ts";
import { byName, isReferred } from "./json-schema.ts";
import { type ErrorForm, MODEL_OPERATIONS, type ModelOperation } from "./model-operations.ts";
import {
  CALL_PARAMETERS,
  isCharged,
  isSubmission,
  listSuccessHeaders,
  RESPONSE_HEADERS,
  toHeaders,
} from "./model-headers.ts";
import { isQuotaError, RELAY_ERRORS, type RelayErrorCode } from "../../services/relay/src/core/errors/relay-error.ts";

const TEXT = `The API that callers of models use, in the dialect of their SDK. Requests and responses are those of OpenAI, Anthropic and Google; only the fields that matter
here are listed, all others pass through. The key of a token is sent as \`Authorization: Bearer sk-…\`, \`x-api-key\` or \`x-goog-api-key\`.

Failures have the form of the dialect, on paths of several providers that of the provider whose header the request has. \`x-request-id\` names the call in the log; \`x-turnpike-cost\` is what it was charged. A balance that does not cover a call is 429 with \`x-should-retry: false\` for OpenAI's clients, 402 for all others. Paths below \`/hf\` are the same as without it; image tasks also have a mode before
their path (\`/mj-fast/mj/…\`).`;

const TAGS: Readonly<Record<string, string>> = {
  Anthropic: "Anthropic's dialect.",
  Balance: "Balance endpoints that many clients read.",
  Cohere: "Rerank.",
  Console: "For the console and for tools.",
  Google: "Google's dialect.",
  OpenAI: "OpenAI's dialect.",
  Tasks: "Tasks that take minutes: images and music.",
};

const SECURITY = [{ bearer: [] }, { xApiKey: [] }, { googleKey: [] }];

const toReference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string): JsonSchema => ({ "application/json": { schema: toReference(name) } });

const TOO_MANY = 429;

/** The codes of the relay by their status; OpenAI's clients get 429 for a spent balance (docs/decisions/056). */
function listCodes(form: ErrorForm): Map<number, string[]> {
  const codes = new Map<number, string[]>();
  const add = (status: number, code: string): void => void codes.set(status, [...(codes.get(status) ?? []), code]);
  for (const [code, { status }] of Object.entries(RELAY_ERRORS)) {
    add(status, code);
    if (form === "OpenAiError" && isQuotaError({ code: code as RelayErrorCode })) add(TOO_MANY, code);
  }
  return codes;
}

const listFailureHeaders = (form: ErrorForm, status: number): string[] => [
  "x-request-id",
  ...(status === TOO_MANY || status === 503 ? ["Retry-After"] : []),
  ...(status === TOO_MANY && form === "OpenAiError" ? ["x-should-retry"] : []),
];

/** A header can select another provider's form: `x-goog-api-key`, `anthropic-version`. */
const failureContent = (form: ErrorForm): JsonSchema => ({
  "application/json": { schema: { anyOf: [...new Set([form, "GoogleError", "AnthropicError"])].map(toReference) } },
});

const OTHERS = ["4XX", "5XX"];

/** Failures of the relay in one form, and any status that an upstream may return. */
function toFailureComponents(form: ErrorForm): [string, JsonSchema][] {
  const own = [...listCodes(form)].map(([status, codes]): [string, JsonSchema] => [
    `${form}${status}`,
    {
      description: codes.map((code) => `\`${code}\``).join(", "),
      headers: toHeaders(listFailureHeaders(form, status)),
      content: failureContent(form),
    },
  ]);
  const other = {
    description: "Any other refusal of an upstream.",
    headers: toHeaders(["x-request-id"]),
    content: failureContent(form),
  };
  return [...own, ...OTHERS.map((status): [string, JsonSchema] => [`${form}${status}`, other])];
}

const FAILURE_RESPONSES = Object.fromEntries(
  [...new Set(MODEL_OPERATIONS.map(({ errors = "OpenAiError" }) => errors))].flatMap(toFailureComponents),
);

const toFailures = ({ errors = "OpenAiError" }: ModelOperation): JsonSchema =>
  Object.fromEntries(
    [...listCodes(errors).keys(), ...OTHERS].map((status) => [
      status,
      { $ref: `#/components/responses/${errors}${status}` },
    ]),
  );

function toSuccess(operation: ModelOperation): JsonSchema {
  const { response, streams, id } = operation;
  const isWebSocket = id === "openRealtimeSession";
  if (isWebSocket) return { "101": { description: "The session is open." } };
  const audio = { "audio/*": { schema: { type: "string", format: "binary" } } };
  // A Gemini stream that is not requested as events is an array of the same objects.
  const list = { "application/json": { schema: { type: "array", items: toReference("GenerateResponse") } } };
  const plain = response === undefined ? (streams ? list : audio) : json(response);
  // Without a schema: OpenAPI 3.1 has none for the events of a stream.
  const events = streams ? { "text/event-stream": {} } : {};
  const headers = toHeaders(listSuccessHeaders(operation));
  return { "200": { description: "The response.", headers, content: { ...plain, ...events } } };
}

/** What the words in a path mean. */
const PATH_TEXTS: Readonly<Record<string, string>> = {
  action: "What is submitted or read.",
  id: "Id of the stored response or conversation, as the call returned it.",
  item_id: "Id of the item, as the call returned it.",
  model: "Name of a model, as `GET /v1/models` lists it.",
};

function requirePathText(name: string): string {
  const text = PATH_TEXTS[name];
  if (text === undefined) throw new Error(`the path parameter ${name} has no text`);
  return text;
}

function toParameters(operation: ModelOperation): JsonSchema[] {
  const { path, id } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: requirePathText(name),
    schema: { type: "string", minLength: 1, maxLength: 200 },
  }));
  const ofSession = { name: "model", in: "query", required: true, description: PATH_TEXTS["model"] };
  const query = id === "openRealtimeSession" ? [{ ...ofSession, schema: { type: "string" } }] : [];
  return [...inPath, ...query, ...toHeaderParameters(operation)];
}

function toHeaderParameters(operation: ModelOperation): JsonSchema[] {
  const ofSubmission = isSubmission(operation) ? ["IdempotencyKey"] : [];
  const read = isCharged(operation) ? Object.keys(CALL_PARAMETERS) : ofSubmission;
  return read.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** Who may call an operation, and whether it costs. */
function describe(operation: ModelOperation): string {
  if (operation.isPublic) return "Without authentication.";
  const who = operation.path.startsWith("/pg/") ? "For signed-in users of the console." : "For holders of a key.";
  const isCostly = isCharged(operation) || isSubmission(operation) || operation.id === "openRealtimeSession";
  return `${who} ${isCostly ? "Charged by what it uses." : "Free."}`;
}

function toOperation(operation: ModelOperation): JsonSchema {
  const { id, summary, tag, path, body, form, isPublic } = operation;
  const parameters = toParameters(operation);
  const content = body === undefined ? { "multipart/form-data": { schema: toReference(form ?? "") } } : json(body);
  return {
    operationId: id,
    summary,
    description: describe(operation),
    tags: [tag],
    security: isPublic ? [] : path.startsWith("/pg/") ? [{ session: [] }] : SECURITY,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined && form === undefined ? {} : { requestBody: { required: true, content } }),
    responses: { ...toSuccess(operation), ...toFailures(operation) },
  };
}

const METHODS = ["get", "post", "delete"];

const sortMethods = (operations: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(operations).toSorted(([one], [other]) => METHODS.indexOf(one) - METHODS.indexOf(other)),
  );

/** The OpenAPI document of the model API. */
export async function createModelDocument({ version }: { version: string }) {
  const schemas = await readContractSchemas();
  const { components } = convertSchemas(schemas, new Map(), { io: "input", nameOf: (name) => name });
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of MODEL_OPERATIONS)
    paths[operation.path] = sortMethods({ ...paths[operation.path], [operation.method]: toOperation(operation) });
  const isUsed = isReferred(components, [paths, FAILURE_RESPONSES]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Turnpike model API",
      version,
      description: TEXT,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "The key of a token: sk-…; or a JSON Web Token of an issuer that the site trusts, in this and in the other headers for keys.",
        },
        xApiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "As Anthropic's clients send it." },
        googleKey: {
          type: "apiKey",
          in: "header",
          name: "x-goog-api-key",
          description: "As Google's clients send it.",
        },
        session: { type: "apiKey", in: "cookie", name: "session", description: "The session of the console." },
      },
      parameters: CALL_PARAMETERS,
      headers: RESPONSE_HEADERS,
      responses: FAILURE_RESPONSES,
      schemas: Object.fromEntries([...components].filter(([name]) => isUsed(name)).toSorted(byName)),
    },
  };
}
