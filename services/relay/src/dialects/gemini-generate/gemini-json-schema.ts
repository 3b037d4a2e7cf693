import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";

const GOOGLE_TYPE = /^[A-Z_]+$/;
/** Google's enum has a value for a type that is not given; JSON schema has none. */
const UNKNOWN_TYPE = "TYPE_UNSPECIFIED";
/** 64-bit integers, which Google's JSON encodes as strings. */
const COUNTS = new Set(["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]);
/** Objects whose property names are the caller's, even if they equal schema keywords. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions"]);
/** Keywords whose values are not schemas. */
const LITERAL = new Set(["enum", "const", "default", "example", "examples", "required"]);

function keyword(name: string, value: unknown): unknown {
  if (LITERAL.has(name)) return value;
  if (name === "type" && typeof value === "string") return GOOGLE_TYPE.test(value) ? value.toLowerCase() : value;
  if (COUNTS.has(name) && typeof value === "string") return Number(value);
  const named = NAMED.has(name) ? asObject(value) : undefined;
  if (!named) return toJsonSchema(value);
  return Object.fromEntries(Object.entries(named).map(([own, schema]) => [own, toJsonSchema(schema)]));
}

/** `nullable` as JSON schema. */
function withNull(schema: Json): Json {
  const { type, enum: values, anyOf } = schema;
  const allowed = Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {};
  if (typeof type === "string") return { ...schema, ...allowed, type: [type, "null"] };
  return Array.isArray(anyOf) ? { ...schema, anyOf: [...(anyOf as unknown[]), { type: "null" }] } : schema;
}

/**
 * Converts a Google schema (OpenAPI 3.0 subset, ai.google.dev/api/caching#Schema) to JSON schema, which the other
 * providers use: lower-case types, numeric bounds, nullability in the type. Anything that is not a schema is returned
 * unchanged.
 */
export function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  const schema = asObject(value);
  if (!schema) return value;
  const { nullable, propertyOrdering: _order, ...fields } = schema;
  const { type: _type, ...untyped } = fields;
  const rest = fields["type"] === UNKNOWN_TYPE ? untyped : fields;
  const written = Object.fromEntries(Object.entries(rest).map(([name, entry]) => [name, keyword(name, entry)]));
  return nullable === true ? withNull(written) : written;
}
