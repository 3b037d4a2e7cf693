import type { Json } from "../../../core/chat/chat.ts";
import { asObject } from "../../../core/chat/json.ts";
import { LISTS, MAPS } from "../../../core/chat/strict-schema.ts";

const isList = (type: unknown): boolean => type === "array" || (Array.isArray(type) && type.includes("array"));

function mapValues(value: unknown): unknown {
  const object = asObject(value);
  return object ? Object.fromEntries(Object.entries(object).map(([name, schema]) => [name, withItems(schema)])) : value;
}

function withItems(schema: unknown): unknown {
  const object = asObject(schema);
  if (!object) return schema;
  const changed: Record<string, unknown> = { ...object };
  for (const name of MAPS) if (name in changed) changed[name] = mapValues(changed[name]);
  for (const name of LISTS) if (Array.isArray(changed[name])) changed[name] = changed[name].map(withItems);
  if ("items" in changed) changed["items"] = withItems(changed["items"]);
  else if (isList(changed["type"])) changed["items"] = {};
  return changed;
}

const SHAPES = ["properties", "$ref", "anyOf", "oneOf", "allOf"] as const;
const isBare = (schema: Json): boolean =>
  (schema["type"] ?? "object") === "object" && SHAPES.every((name) => schema[name] === undefined);

/**
 * A tool's schema as OpenAI accepts it: "array schema missing items" and "object schema missing properties" are
 * refused, so arrays get an open items schema, and a function without arguments gets empty properties. Other providers
 * accept both.
 */
export const openAiParameters = (schema: Json): Json => ({
  ...(withItems(schema) as Json),
  ...(isBare(schema) ? { type: "object", properties: {} } : {}),
});
