import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";

const GOOGLE_TYPE = /^[A-Z_]+$/;
/** 64-bit whole numbers, which Google's JSON writes as texts. */
const COUNTS = new Set(["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]);
/** Objects whose names are the caller's, whatever they mean elsewhere. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions"]);
/** Values that are no schemas. */
const LITERAL = new Set(["enum", "const", "default", "example", "examples", "required"]);

function keyword(name: string, value: unknown): unknown {
  if (LITERAL.has(name)) return value;
  if (name === "type" && typeof value === "string") return GOOGLE_TYPE.test(value) ? value.toLowerCase() : value;
  if (COUNTS.has(name) && typeof value === "string") return Number(value);
  const named = NAMED.has(name) ? asObject(value) : undefined;
  if (!named) return toJsonSchema(value);
  return Object.fromEntries(Object.entries(named).map(([own, schema]) => [own, toJsonSchema(schema)]));
}

/** `nullable` in JSON schema's words. */
function withNull(schema: Json): Json {
  const { type, enum: values, anyOf } = schema;
  const allowed = Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {};
  if (typeof type === "string") return { ...schema, ...allowed, type: [type, "null"] };
  return Array.isArray(anyOf) ? { ...schema, anyOf: [...(anyOf as unknown[]), { type: "null" }] } : schema;
}

/**
 * A schema of Google's (OpenAPI 3.0 subset, ai.google.dev/api/caching#Schema) as JSON schema, which everybody else reads: types are in
 * small letters, bounds are numbers, what may be null says so in its type. Whatever is no schema is given back as it is.
 */
export function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  const schema = asObject(value);
  if (!schema) return value;
  const { nullable, propertyOrdering: _order, ...rest } = schema;
  const written = Object.fromEntries(Object.entries(rest).map(([name, entry]) => [name, keyword(name, entry)]));
  return nullable === true ? withNull(written) : written;
}
