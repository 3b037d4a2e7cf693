import { z } from "zod/mini";

/**
 * The parts of an OpenAPI 3.1 document that the page shows. https://spec.openapis.org/oas/v3.1.1 Everything is optional
 * there; a part that is missing is not shown.
 */
const Schema = z.record(z.string(), z.unknown());
export type Schema = z.infer<typeof Schema>;

const Parameter = z.object({
  $ref: z.optional(z.string()),
  name: z.optional(z.string()),
  in: z.optional(z.string()),
  required: z.optional(z.boolean()),
  description: z.optional(z.string()),
  schema: z.optional(Schema),
});
const Content = z.record(z.string(), z.object({ schema: z.optional(Schema) }));
const Response = z.object({
  $ref: z.optional(z.string()),
  description: z.optional(z.string()),
  content: z.optional(Content),
});
const RequestBody = z.object({ required: z.optional(z.boolean()), content: Content });
const Operation = z.object({
  operationId: z.string(),
  summary: z.optional(z.string()),
  description: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  parameters: z.optional(z.array(Parameter)),
  requestBody: z.optional(RequestBody),
  responses: z.record(z.string(), Response),
});
export type Parameter = z.infer<typeof Parameter>;
export type Response = z.infer<typeof Response>;
export type Operation = z.infer<typeof Operation>;

export const Description = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.optional(z.string()) }),
  tags: z.optional(z.array(z.object({ name: z.string(), description: z.optional(z.string()) }))),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
});
export type Description = z.infer<typeof Description>;

/** One call: its method in capitals, its path, and its description in the document. */
export type Entry = { readonly method: string; readonly path: string; readonly operation: Operation };
export type Section = { readonly name: string; readonly description: string; readonly entries: readonly Entry[] };

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

function listEntries({ paths }: Description): readonly Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): Entry[] => {
      const parsed = z.safeParse(Operation, item[method]);
      return parsed.success ? [{ method: method.toUpperCase(), path, operation: parsed.data }] : [];
    }),
  );
}

/** Every word is part of the path, the method, the summary or the tag. */
function isMatch({ method, path, operation }: Entry, keyword: string): boolean {
  const text = [method, path, operation.summary ?? "", ...(operation.tags ?? [])].join(" ").toLowerCase();
  return keyword
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The calls that match a keyword by tag, in the document's order; sections without a match are left out. */
export function listSections(description: Description, keyword: string): readonly Section[] {
  const entries = listEntries(description).filter((entry) => isMatch(entry, keyword));
  const texts = new Map(description.tags?.map(({ name, description: about = "" }) => [name, about]));
  const names = new Set([...texts.keys(), ...entries.map(({ operation }) => operation.tags?.[0] ?? "")]);
  return [...names]
    .map((name) => ({
      name,
      description: texts.get(name) ?? "",
      entries: entries.filter(({ operation }) => (operation.tags?.[0] ?? "") === name),
    }))
    .filter((section) => section.entries.length > 0);
}

const REFERENCE = /^#\/components\/([^/]+)\/([^/]+)$/;

/** What a `$ref` of the document names, with its name; undefined for one that leads nowhere. */
export function resolveReference(
  { components }: Description,
  reference: unknown,
): { readonly name: string; readonly value: Schema } | undefined {
  const [, kind = "", name = ""] = REFERENCE.exec(typeof reference === "string" ? reference : "") ?? [];
  const value = z.safeParse(Schema, components?.[kind]?.[name]);
  return value.success ? { name, value: value.data } : undefined;
}

/** A parameter or response, or the shared one that it refers to. */
export function resolvePart<Part extends Parameter | Response>(description: Description, part: Part): Part {
  if (part.$ref === undefined) return part;
  return (resolveReference(description, part.$ref)?.value ?? part) as Part;
}

/** The JSON schema of a body, and of no other kind of content. */
export const getJsonSchema = (content: Response["content"]): Schema | undefined =>
  content?.["application/json"]?.schema;
