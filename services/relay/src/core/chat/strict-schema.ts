import { asList, asObject } from "./json.ts";

/** The keywords under which a schema nests other schemas: lists and named objects. */
export const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;
export const MAPS = ["properties", "$defs", "definitions"] as const;

/**
 * Whether a schema follows the rules of OpenAI's strict mode, which is the meaning of a tool's `strict` here: objects
 * are closed and require all their properties. Other providers' strict modes are less strict. Source: OpenAI guide,
 * "Function calling", "Strict mode".
 */
export function isStrictSchema(value: unknown): boolean {
  const schema = asObject(value);
  if (!schema) return true;
  const properties = asObject(schema["properties"]);
  const required = new Set(asList(schema["required"]));
  const isObject = properties !== undefined || schema["type"] === "object";
  if (isObject && schema["additionalProperties"] !== false) return false;
  if (Object.keys(properties ?? {}).some((name) => !required.has(name))) return false;
  const within = MAPS.flatMap((name) => Object.values(asObject(schema[name]) ?? {}));
  return [...within, ...LISTS.flatMap((name) => asList(schema[name])), schema["items"]].every(isStrictSchema);
}
