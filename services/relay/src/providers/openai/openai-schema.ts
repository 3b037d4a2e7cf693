import type { Json } from "../../chat/chat.ts";
import { asList, asObject } from "../../chat/json.ts";

const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;
const MAPS = ["properties", "$defs", "definitions"] as const;

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
 * A tool's schema as OpenAI takes it: "array schema missing items" and "object schema missing properties" are refused, so lists say
 * what they hold, if only anything, and a function without arguments has no properties. Others do not mind.
 */
const openAiParameters = (schema: Json): Json => ({
  ...(withItems(schema) as Json),
  ...(isBare(schema) ? { type: "object", properties: {} } : {}),
});

/**
 * Whether a schema keeps the rules of OpenAI's strict mode: objects are closed and require all that they name. Other providers' strict
 * modes are less so. Source: OpenAI guide, "Function calling", "Strict mode".
 */
function isStrict(value: unknown): boolean {
  const schema = asObject(value);
  if (!schema) return true;
  const properties = asObject(schema["properties"]);
  const required = new Set(asList(schema["required"]));
  const isOpen = properties !== undefined && schema["additionalProperties"] !== false;
  if (isOpen || Object.keys(properties ?? {}).some((name) => !required.has(name))) return false;
  const within = MAPS.flatMap((name) => Object.values(asObject(schema[name]) ?? {}));
  return [...within, ...LISTS.flatMap((name) => asList(schema[name])), schema["items"]].every(isStrict);
}

/** A tool's schema, and `strict` where it was asked for and the schema allows it. */
export function openAiTool(
  schema: Json,
  strict: boolean | undefined,
): { parameters: Json; strict: boolean | undefined } {
  const parameters = openAiParameters(schema);
  return { parameters, strict: strict && isStrict(parameters) };
}
