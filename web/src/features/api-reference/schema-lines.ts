import { type Description, resolveReference, type Schema } from "./description.ts";

/** One field of a shape. `children` is the shape of its value, to be listed when it is opened. */
export type SchemaLine = {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly children: Schema | undefined;
};

const asSchema = (value: unknown): Schema | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
const asList = (value: unknown): readonly Schema[] =>
  Array.isArray(value) ? value.map(asSchema).filter((one) => one !== undefined) : [];

const getAlternatives = (schema: Schema): readonly Schema[] => [...asList(schema["anyOf"]), ...asList(schema["oneOf"])];

/** A short name of a shape's type: string, integer[], Token, "a" | "b". */
export function getTypeName(description: Description, schema: Schema): string {
  const reference = resolveReference(description, schema["$ref"]);
  if (reference) return reference.name;
  const alternatives = getAlternatives(schema);
  if (alternatives.length > 0)
    return [...new Set(alternatives.map((one) => getTypeName(description, one)))].join(" | ");
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((one) => JSON.stringify(one)).join(" | ");
  const items = asSchema(schema["items"]);
  if (items) {
    const name = getTypeName(description, items);
    return name.includes(" | ") ? `(${name})[]` : `${name}[]`;
  }
  const type = schema["type"];
  if (Array.isArray(type)) return type.join(" | ");
  return typeof type === "string" ? type : "any";
}

/** The objects that a shape can be: itself, what it refers to, its items, its alternatives. */
function listObjects(description: Description, schema: Schema, depth = 0): readonly Schema[] {
  // A document may refer to itself without an object in between.
  if (depth > 8) return [];
  const inner = [
    resolveReference(description, schema["$ref"])?.value,
    asSchema(schema["items"]),
    ...getAlternatives(schema),
    ...asList(schema["allOf"]),
  ].filter((one) => one !== undefined);
  const isObject =
    asSchema(schema["properties"]) !== undefined || asSchema(schema["additionalProperties"]) !== undefined;
  return [...(isObject ? [schema] : []), ...inner.flatMap((one) => listObjects(description, one, depth + 1))];
}

function toLine(description: Description, name: string, schema: Schema, required: readonly unknown[]): SchemaLine {
  const about = schema["description"] ?? resolveReference(description, schema["$ref"])?.value["description"];
  return {
    name,
    type: getTypeName(description, schema),
    isRequired: required.includes(name),
    description: typeof about === "string" ? about : "",
    children: listObjects(description, schema).length > 0 ? schema : undefined,
  };
}

/** The fields of each object that a shape can be; `*` stands for names that are free. */
export function listShapes(description: Description, schema: Schema): readonly (readonly SchemaLine[])[] {
  return listObjects(description, schema).map((object) => {
    const required = Array.isArray(object["required"]) ? (object["required"] as unknown[]) : [];
    const fields = Object.entries(asSchema(object["properties"]) ?? {}).map(([name, value]) =>
      toLine(description, name, asSchema(value) ?? {}, required),
    );
    const other = asSchema(object["additionalProperties"]);
    return other && Object.keys(other).length > 0 ? [...fields, toLine(description, "*", other, [])] : fields;
  });
}
