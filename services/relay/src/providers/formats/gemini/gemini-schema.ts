import type { Json } from "../../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText, compact } from "../../../core/chat/json.ts";

/** The keywords of Gemini's Schema that are passed unchanged; any other gives 400. */
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
/** Source: API errors that list the supported formats of a type. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  integer: ["int32", "int64"],
  number: ["float", "double"],
};
const SHAPES = [
  "type",
  "properties",
  "items",
  "prefixItems",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
] as const;
/**
 * How often a reference is expanded within itself; beyond that, and if a schema grows without end, the schema is left
 * open.
 */
const UNFOLDED_MAX = 2;
const DEPTH_MAX = 24;
const NODES_MAX = 2_000;
const LEFT_OPEN: Json = { type: "string" };

/** The position in a schema: its root, the references followed to get here, and the remaining size budget. */
type Endpoint = {
  readonly root: Json;
  readonly references: readonly string[];
  readonly depth: number;
  readonly budget: { nodes: number };
};
type Followed = { readonly schema: Json; readonly place: Endpoint };

/** Resolves a JSON pointer within the schema (`#/$defs/name`); undefined for other references. */
function resolve(reference: string, root: Json): Json | undefined {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  const steps = reference.split("/").slice(1);
  const names = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = names.reduce<unknown>(
    (at, name) => (Array.isArray(at) ? at[Number(name)] : asObject(at)?.[name]),
    root,
  );
  return asObject(found);
}

/** The schema that references resolve to, merged with their sibling keywords; undefined for circular references. */
function follow(schema: Json, place: Endpoint): Followed | undefined {
  const reference = asText(schema["$ref"]);
  if (reference === undefined) return { schema, place };
  const { references, root } = place;
  if (references.filter((known) => known === reference).length >= UNFOLDED_MAX) return undefined;
  const { $ref: _reference, ...extra } = schema;
  return follow({ ...resolve(reference, root), ...extra }, { ...place, references: [...references, reference] });
}

const isNull = (item: unknown): boolean => asObject(item)?.["type"] === "null";

/** The types except null: `["string", "null"]` is a nullable string; several other types are alternatives. */
function readTypes(schema: Json): { types: readonly string[]; isNullable: boolean } {
  const all = [schema["type"]].flat().filter((name) => typeof name === "string");
  return { types: all.filter((name) => name !== "null"), isNullable: all.includes("null") };
}

/** Merges the parts of allOf: Gemini has no conjunction. The schema's own keywords take precedence. */
function flatten(given: Json, at: Endpoint): Followed | undefined {
  at.budget.nodes--;
  const followed = at.budget.nodes > 0 ? follow(given, at) : undefined;
  if (!followed) return undefined;
  const { allOf, ...own } = followed.schema;
  const found = asList(allOf).map((piece) => flatten(asObject(piece) ?? {}, followed.place));
  const pieces = found.filter((piece) => piece !== undefined);
  if (pieces.length === 0) return { schema: own, place: followed.place };
  const all = [own, ...pieces.map(({ schema }) => schema)];
  const properties = all.flatMap((piece) => asObject(piece["properties"]) ?? []);
  const required = all.flatMap((piece) => asList(piece["required"]));
  const joined = compact({
    ...(Object.assign({}, ...all) as Json),
    ...own,
    properties: properties.length === 0 ? undefined : (Object.assign({}, ...properties) as Json),
    required: required.length === 0 ? undefined : required,
  });
  const before = followed.place.references;
  const references = [...before, ...pieces.flatMap(({ place }) => place.references.slice(before.length))];
  return { schema: joined, place: { ...followed.place, references } };
}

const getValues = (schema: Json): readonly unknown[] =>
  schema["const"] === undefined ? asList(schema["enum"]) : [schema["const"]];

/** Enums must be strings; a constant is an enum with one value. Other values are described in text. */
function readEnum(schema: Json, type: string): Json {
  const values = getValues(schema);
  if (values.length === 0) return {};
  const nullable = values.includes(null) ? { nullable: true } : {};
  const texts = values.filter((value) => typeof value === "string" && value !== "");
  if (texts.length > 0 && type === "string") return { enum: texts, ...nullable };
  const words = `One of: ${values.map((value) => JSON.stringify(value)).join(", ")}`;
  const description = asText(schema["description"]);
  return { description: description === undefined ? words : `${description} (${words})`, ...nullable };
}

function readProperties(schema: Json, place: Endpoint): Json {
  const properties = asObject(schema["properties"]) ?? {};
  const names = Object.keys(properties);
  if (names.length === 0) return {};
  const required = asList(schema["required"]).filter((name) => typeof name === "string" && names.includes(name));
  return {
    properties: Object.fromEntries(names.map((name) => [name, clean(properties[name], place)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Tuples become lists of any of their item schemas, with the same length. */
function readItems(schema: Json, place: Endpoint): Json {
  const places = asList(schema["prefixItems"] ?? (Array.isArray(schema["items"]) ? schema["items"] : undefined));
  if (places.length === 0) return { items: clean(schema["items"] ?? LEFT_OPEN, place) };
  const kinds = [...new Map(places.map((item) => [JSON.stringify(item), item])).values()];
  return { items: clean({ anyOf: kinds }, place), minItems: places.length, maxItems: places.length };
}

/** Alternatives that only state required fields have no type, which Gemini refuses. */
const hasShape = (item: unknown): boolean => SHAPES.some((name) => asObject(item)?.[name] !== undefined);

/** Infers the type of a schema without one: Gemini requires a type except for schemas with alternatives. */
function impliedType(schema: Json): string {
  if (asObject(schema["properties"])) return "object";
  if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) return "array";
  const value = getValues(schema).find((one) => one !== null);
  const number = asNumber(value);
  if (number !== undefined) return Number.isInteger(number) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

function cleanTyped(schema: Json, type: string, place: Endpoint): Json {
  const format = asText(schema["format"]) ?? "";
  return {
    type,
    ...Object.fromEntries(KNOWN.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]]))),
    ...(FORMATS[type]?.includes(format) ? { format } : {}),
    ...(type === "array" ? readItems(schema, place) : {}),
    ...(type === "object" ? readProperties(schema, place) : {}),
    ...readEnum(schema, type),
  };
}

/** Copies a schema's keywords into each of its alternatives: Google accepts nothing next to `anyOf`. */
function cleanAlternatives(alternatives: readonly Json[], schema: Json, place: Endpoint): Json {
  const { title, description, ...extra } = schema;
  const [only] = alternatives;
  if (alternatives.length === 1) return clean({ ...schema, allOf: [only] }, place);
  const words = compact({ title, description });
  const anyOf = alternatives.map((one) => clean({ ...extra, allOf: [one] }, place));
  return { anyOf: anyOf.map((one) => (one["anyOf"] ? one : { ...words, ...one })) };
}

function clean(value: unknown, from: Endpoint): Json {
  const given = asObject(value);
  const flat = given && from.depth <= DEPTH_MAX ? flatten(given, from) : undefined;
  if (!flat) return LEFT_OPEN;
  const { anyOf, oneOf, ...schema } = flat.schema;
  const place = { ...flat.place, depth: from.depth + 1 };
  const { types, isNullable } = readTypes(schema);
  const choices = [...asList(anyOf), ...asList(oneOf)].filter(hasShape);
  const nullable = isNullable || choices.some(isNull) ? { nullable: true } : {};
  const alternatives = choices.filter((item) => !isNull(item)).map((item) => asObject(item) ?? {});
  if (alternatives.length > 0) return cleanAlternatives(alternatives, { ...schema, ...nullable }, place);
  if (types.length < 2) return { ...cleanTyped(schema, types[0] ?? impliedType(schema), place), ...nullable };
  return { anyOf: types.map((type) => ({ ...cleanTyped(schema, type, place), ...nullable })) };
}

/** Converts a JSON schema to the subset that Gemini accepts: references resolved, unsupported keywords removed. */
export const geminiSchema = (schema: Json): Json =>
  clean(schema, { root: schema, references: [], depth: 0, budget: { nodes: NODES_MAX } });

/**
 * Parameters of a function; undefined for a function without any, because Gemini refuses an object without properties.
 */
export function geminiParameters(schema: Json): Json | undefined {
  const parameters = geminiSchema({ type: "object", ...schema });
  return parameters["properties"] === undefined && parameters["anyOf"] === undefined ? undefined : parameters;
}
