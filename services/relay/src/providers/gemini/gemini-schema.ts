import type { Json } from "../../chat/chat.ts";
import { asList, asObject, asText } from "../../chat/json.ts";

/** The keywords of Gemini's Schema; any other gives 400. `format` has a rule of its own. */
const KNOWN = [
  "title",
  "description",
  "nullable",
  "maxItems",
  "minItems",
  "maxProperties",
  "minProperties",
  "maxLength",
  "minLength",
  "pattern",
  "minimum",
  "maximum",
  "propertyOrdering",
] as const;
const STRING_FORMATS = new Set(["enum", "date-time"]);
/** Schemas that refer to themselves end here. */
const DEPTH_MAX = 24;

/** Follows `#/$defs/name` and `#/definitions/name`; undefined for other references. */
function resolve(reference: string, root: Json): Json | undefined {
  const path = /^#\/(\$defs|definitions)\/(.+)$/.exec(reference);
  return path?.[1] && path[2] ? asObject(asObject(root[path[1]])?.[path[2]]) : undefined;
}

/** `["string", "null"]` is a nullable string; several other types are alternatives. */
function readType(schema: Json): { type?: string; nullable?: true; alternatives?: string[] } {
  const type = schema["type"];
  if (!Array.isArray(type)) return typeof type === "string" && type !== "null" ? { type } : {};
  const names = type.flatMap((name) => (typeof name === "string" && name !== "null" ? [name] : []));
  const nullable = type.includes("null") ? { nullable: true as const } : {};
  const [only] = names;
  return names.length === 1 && only !== undefined ? { type: only, ...nullable } : { alternatives: names, ...nullable };
}

/** The pieces of allOf laid over one another: Gemini knows no conjunction. */
function flatten(schema: Json, root: Json): Json {
  const { allOf, ...own } = schema;
  const pieces = asList(allOf).map((piece) => follow(asObject(piece) ?? {}, root));
  if (pieces.length === 0) return own;
  const all = [own, ...pieces.map((piece) => flatten(piece, root))];
  const properties = Object.assign({}, ...all.map((piece) => asObject(piece["properties"]) ?? {})) as Json;
  const required = all.flatMap((piece) => asList(piece["required"]));
  return { ...(Object.assign({}, ...all) as Json), ...own, properties, required };
}

function follow(schema: Json, root: Json): Json {
  const reference = asText(schema["$ref"]);
  if (reference === undefined) return schema;
  const { $ref: _reference, ...beside } = schema;
  return { ...resolve(reference, root), ...beside };
}

const valuesOf = (schema: Json): readonly unknown[] =>
  schema["const"] === undefined ? asList(schema["enum"]) : [schema["const"]];

/** Enums are of strings only; a constant is an enum of one. */
function readEnum(schema: Json, type: string | undefined): Json {
  const values = valuesOf(schema);
  const texts = values.filter((value) => typeof value === "string" && value !== "");
  if (texts.length === 0 || (type !== undefined && type !== "string")) return {};
  return { type: "string", enum: texts };
}

function readProperties(schema: Json, root: Json, depth: number): Json {
  const properties = asObject(schema["properties"]) ?? {};
  const names = Object.keys(properties);
  if (names.length === 0) return {};
  const required = asList(schema["required"]).filter((name) => typeof name === "string" && names.includes(name));
  return {
    properties: Object.fromEntries(names.map((name) => [name, clean(properties[name], root, depth + 1)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

const SHAPES = ["type", "properties", "items", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"] as const;

/** Alternatives that only say which fields are required have no type, which Gemini refuses. */
const hasShape = (item: unknown): boolean => SHAPES.some((name) => asObject(item)?.[name] !== undefined);

/** What a schema that does not say its type is of: Gemini wants one of each but for those of alternatives. */
function impliedType(schema: Json): string {
  if (asObject(schema["properties"])) return "object";
  if (schema["items"] !== undefined) return "array";
  const [value] = valuesOf(schema);
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

function readAlternatives(schema: Json, root: Json, depth: number): Json {
  const list = [...asList(schema["anyOf"]), ...asList(schema["oneOf"])].filter(hasShape);
  const isNull = (item: unknown): boolean => asObject(item)?.["type"] === "null";
  const nullable = list.some(isNull) ? { nullable: true } : {};
  const anyOf = list.filter((item) => !isNull(item)).map((item) => clean(item, root, depth + 1));
  if (anyOf.length === 1) return { ...anyOf[0], ...nullable };
  return anyOf.length > 0 ? { anyOf, ...nullable } : nullable;
}

/** What stands below a schema of a type. */
function readInside(schema: Json, type: string | undefined, root: Json, depth: number): Json {
  if (type === "array") return { items: clean(schema["items"] ?? { type: "string" }, root, depth + 1) };
  return type === undefined || type === "object" ? readProperties(schema, root, depth) : {};
}

function clean(value: unknown, root: Json, depth: number): Json {
  const given = asObject(value);
  if (!given || depth > DEPTH_MAX) return { type: "string" };
  const schema = flatten(follow(given, root), root);
  const told = readType(schema);
  const { nullable, alternatives } = told;
  const others = readAlternatives(schema, root, depth);
  const isAlternative = alternatives !== undefined || others["anyOf"] !== undefined || others["type"] !== undefined;
  const type = told.type ?? (isAlternative ? undefined : impliedType(schema));
  const format = asText(schema["format"]);
  const keepsFormat = format !== undefined && (type !== "string" || STRING_FORMATS.has(format));
  return {
    ...(type === undefined ? {} : { type }),
    ...Object.fromEntries(KNOWN.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]]))),
    ...(nullable ? { nullable } : {}),
    ...(keepsFormat ? { format } : {}),
    ...(alternatives
      ? { anyOf: alternatives.map((name) => ({ type: name, ...readInside(schema, name, root, depth) })) }
      : readInside(schema, type, root, depth)),
    ...readEnum(schema, type),
    ...others,
  };
}

/** A JSON schema in the part of it that Gemini takes: references put in place, unknown keywords left out. */
export const geminiSchema = (schema: Json): Json => clean(schema, schema, 0);

/** Parameters of a function; undefined for one without any, because Gemini refuses an object without properties. */
export function geminiParameters(schema: Json): Json | undefined {
  const parameters = geminiSchema({ type: "object", ...schema });
  return parameters["properties"] === undefined && parameters["anyOf"] === undefined ? undefined : parameters;
}
