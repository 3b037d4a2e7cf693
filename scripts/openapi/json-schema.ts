import type { JsonSchema } from "./contract-schemas.ts";

/** The order of components in a document. */
export const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** The names of components that a value refers to. */
const listReferences = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = ""]) => name);

/** Whether values refer to a component, directly or through other components. */
export function isReferred(
  components: ReadonlyMap<string, JsonSchema>,
  values: readonly unknown[],
): (name: string) => boolean {
  const referred = new Set<string>();
  const visit = (names: readonly string[]): void => {
    for (const name of names) {
      if (referred.has(name)) continue;
      referred.add(name);
      const schema = components.get(name);
      if (schema) visit(listReferences(schema));
    }
  };
  visit(values.flatMap(listReferences));
  return (name) => referred.has(name);
}

/** A document without `additionalProperties: false`: an object may have fields that a later version adds. */
export function toLenient(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toLenient);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => key !== "additionalProperties" || part !== false)
      .map(([key, part]) => [key, toLenient(part)]),
  );
}
