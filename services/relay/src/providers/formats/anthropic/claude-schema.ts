import type { Json } from "../../../core/chat/chat.ts";
import { asList, asObject, asObjects } from "../../../core/chat/json.ts";

/**
 * The JSON schema keywords that structured outputs support; other keywords are refused, so they are described in the
 * description.
 */
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

const DEFINITION = /^#\/(?:\$defs|definitions)\/(.+)$/;

/** Both keywords for definitions are read; `$defs` is written. */
const getDefinitions = (schema: Json): Json => ({ ...asObject(schema["definitions"]), ...asObject(schema["$defs"]) });

/** Open objects (maps) and combined alternatives: closing or dropping them would change which responses are valid. */
function isTaken(schema: Json): boolean {
  const { additionalProperties, anyOf, oneOf, patternProperties, properties, type } = schema;
  const isMap = asObject(additionalProperties) !== undefined || patternProperties !== undefined;
  const isAny = type === "object" && properties === undefined && additionalProperties !== false;
  return !isMap && !isAny && !(anyOf !== undefined && oneOf !== undefined);
}

const within = (schema: Json): unknown[] => [
  ...Object.values(asObject(schema["properties"]) ?? {}),
  ...["anyOf", "oneOf", "allOf"].flatMap((name) => asList(schema[name])),
  schema["items"],
];

/**
 * Whether structured outputs can express a schema: no maps, no recursion, no external references. Source: Anthropic's
 * documentation, "Structured outputs", "JSON Schema limitations".
 */
export function isExpressible(root: Json): boolean {
  const definitions = getDefinitions(root);
  const known = new Map<string, boolean>();
  const follow = (reference: string): boolean => {
    const name = DEFINITION.exec(reference)?.[1];
    if (name === undefined || asObject(definitions[name]) === undefined) return false;
    // A definition that is reached again while it is being visited is recursive.
    const seen = known.get(name);
    if (seen !== undefined) return seen;
    known.set(name, false);
    const isAvailable = check(definitions[name]);
    known.set(name, isAvailable);
    return isAvailable;
  };
  const check = (value: unknown): boolean => {
    const schema = asObject(value);
    if (!schema) return !Array.isArray(value);
    const reference = schema["$ref"];
    if (reference !== undefined && !(typeof reference === "string" && follow(reference))) return false;
    return isTaken(schema) && within(schema).every(check);
  };
  return check(root);
}

function children(name: string, value: unknown): unknown {
  if (name === "properties") return mapValues(asObject(value) ?? {}, claudeSchema);
  if (name === "items") return claudeSchema(value);
  if (name === "$ref") return String(value).replace(DEFINITION, "#/$defs/$1");
  if (name === "anyOf" || name === "allOf") return asObjects(value).map(claudeSchema);
  return value;
}

/**
 * Converts a JSON schema for Anthropic's structured outputs: closed objects, oneOf as anyOf, definitions under one
 * keyword, unsupported keywords described in the description.
 */
export function claudeSchema(value: unknown): unknown {
  const schema = asObject(value);
  if (!schema) return value;
  const kept = Object.entries(schema).filter(([name, entry]) => isKnown(name, entry) && name !== "$defs");
  const anyOf = Array.isArray(schema["oneOf"]) ? { anyOf: schema["oneOf"].map(claudeSchema) } : {};
  const definitions = getDefinitions(schema);
  const isObject = schema["type"] === "object" || schema["properties"] !== undefined;
  return {
    ...Object.fromEntries(kept.map(([name, entry]) => [name, children(name, entry)])),
    ...anyOf,
    ...describe(schema),
    ...(Object.keys(definitions).length > 0 ? { $defs: mapValues(definitions, claudeSchema) } : {}),
    ...(isObject ? { additionalProperties: false } : {}),
  };
}
