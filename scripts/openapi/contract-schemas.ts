import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod/mini";
import { readSchemaComments, type SchemaComments } from "./schema-comments.ts";

const FOLDER = join(import.meta.dirname, "../../services/contract/src/api");

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = { [key: string]: unknown };
type Schema = z.core.$ZodType;

/** The exported schemas of the contract by name, and their docstrings. */
export type ContractSchemas = {
  readonly named: ReadonlyMap<string, Schema>;
  readonly comments: ReadonlyMap<string, SchemaComments>;
};

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null && "_zod" in value;

/** Reads every schema that a file in `services/contract/src/api` exports. */
export async function readContractSchemas(): Promise<ContractSchemas> {
  const named = new Map<string, Schema>();
  const comments = new Map<string, SchemaComments>();
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const byName = files.toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1));
  for (const name of byName) {
    const file = join(FOLDER, name);
    for (const [key, comment] of readSchemaComments(file)) comments.set(key, comment);
    const exported = (await import(file)) as Record<string, unknown>;
    for (const [key, value] of Object.entries(exported))
      if (isSchema(value) && /^[A-Z]/.test(key) && ![...named.values()].includes(value)) named.set(key, value);
  }
  return { named, comments };
}

/** The docstring of a field: where the schema is declared, else where a schema is that it is made of. */
function findFieldText(name: string, field: string, comments: ContractSchemas["comments"]): string {
  const own = comments.get(name);
  return (
    own?.fields.get(field) ??
    own?.uses.map((used) => (used === name ? "" : findFieldText(used, field, comments))).find((text) => text !== "") ??
    ""
  );
}

/** Adds the contract's docstrings to a named schema. */
function describe(name: string, schema: JsonSchema, comments: ContractSchemas["comments"]): JsonSchema {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>).map(
    ([field, property]) => {
      const description = findFieldText(name, field, comments);
      // A $ref with siblings is allowed in 3.1, but not every tool reads them.
      return [field, description === "" || "$ref" in property ? property : { ...property, description }] as const;
    },
  );
  const description = comments.get(name)?.text ?? "";
  return {
    ...(description === "" ? {} : { description }),
    ...schema,
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  };
}

/** Omits what carries no information: limits of safe integers, the forms of a type that its schema states itself. */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (typeof jsonSchema["type"] === "string") delete jsonSchema["anyOf"];
  if (jsonSchema["minimum"] === Number.MIN_SAFE_INTEGER) delete jsonSchema["minimum"];
  if (jsonSchema["maximum"] === Number.MAX_SAFE_INTEGER) delete jsonSchema["maximum"];
}

/**
 * Converts the schemas of operations. Schemas that the contract exports become references to components, in which the
 * docstrings are the descriptions. `nameOf` is the component's name.
 */
export function convertSchemas(
  { named, comments }: ContractSchemas,
  operations: ReadonlyMap<string, Schema>,
  { io, nameOf }: { io: "input" | "output"; nameOf: (name: string) => string },
): { components: Map<string, JsonSchema>; converted: Map<string, JsonSchema> } {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of named) registry.add(schema, { id: nameOf(name) });
  const ids = new Map([...named.values()].map((schema) => [schema, registry.get(schema)?.id]));
  for (const [key, schema] of operations) if (!ids.has(schema)) registry.add(schema, { id: key });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: "any",
    uri: (id) => `#/components/schemas/${id}`,
    override: simplify as never,
  });
  const components = new Map<string, JsonSchema>();
  for (const name of named.keys()) {
    const schema = schemas[nameOf(name)] as JsonSchema | undefined;
    if (schema) components.set(nameOf(name), describe(name, clean(schema), comments));
  }
  const converted = new Map<string, JsonSchema>();
  for (const [key, schema] of operations) {
    const id = ids.get(schema);
    const own = schemas[key] as JsonSchema | undefined;
    converted.set(key, id === undefined ? clean(own ?? {}) : { $ref: `#/components/schemas/${id}` });
  }
  return { components, converted };
}

const clean = (schema: JsonSchema): JsonSchema => {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
};
