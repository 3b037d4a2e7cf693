import type { Json } from "../../chat/chat.ts";
import { asObject } from "../../chat/json.ts";

/** What structured outputs know of JSON schema; other keywords are refused, so they go into the description as words. */
const KNOWN = new Set([
  "$ref",
  "$defs",
  "type",
  "title",
  "description",
  "enum",
  "const",
  "default",
  "anyOf",
  "allOf",
  "properties",
  "required",
  "items",
]);
const FORMATS = new Set(["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]);
const SILENT = new Set(["$schema", "$id", "$comment", "additionalProperties", "oneOf", "definitions"]);

const mapValues = (object: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

function isKnown(name: string, value: unknown): boolean {
  if (name === "format") return typeof value === "string" && FORMATS.has(value);
  return KNOWN.has(name) || (name === "minItems" && (value === 0 || value === 1));
}

function describe(schema: Json): Json {
  const unknown = Object.entries(schema).filter(([name, value]) => !isKnown(name, value) && !SILENT.has(name));
  if (unknown.length === 0) return {};
  const words = unknown.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
  const description = schema["description"];
  return { description: typeof description === "string" ? `${description} (${words})` : words };
}

function children(name: string, value: unknown): unknown {
  if (name === "properties" || name === "$defs") return mapValues(asObject(value) ?? {}, claudeSchema);
  if (name === "items") return claudeSchema(value);
  if (Array.isArray(value) && (name === "anyOf" || name === "allOf")) return value.map(claudeSchema);
  return value;
}

/**
 * A JSON schema as Anthropic's structured outputs take it: objects closed, oneOf as anyOf, keywords it does not know told in the
 * description.
 */
export function claudeSchema(value: unknown): unknown {
  const schema = asObject(value);
  if (!schema) return value;
  const kept = Object.entries(schema).filter(([name, entry]) => isKnown(name, entry));
  const anyOf = Array.isArray(schema["oneOf"]) ? { anyOf: schema["oneOf"].map(claudeSchema) } : {};
  const isObject = schema["type"] === "object" || schema["properties"] !== undefined;
  return {
    ...Object.fromEntries(kept.map(([name, entry]) => [name, children(name, entry)])),
    ...anyOf,
    ...describe(schema),
    ...(isObject ? { additionalProperties: false } : {}),
  };
}
