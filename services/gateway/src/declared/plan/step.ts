import type { DeclaredDrift, DeclaredObject, DeclaredReport } from "@turnpike/contract/api/declared";
import type { Configuration } from "../configuration.ts";
import type { Console } from "../console.ts";
import { getFingerprint } from "../secrets.ts";
import type { Site } from "../site.ts";
import { show, toCanonical } from "../values.ts";

/** A change of the site that one request makes, or a few that belong together. */
export type Step = {
  readonly changes: readonly DeclaredDrift[];
  /** Makes the change; returns the objects as they are declared now. */
  readonly run: () => Promise<readonly DeclaredObject[]>;
};

/** What a part of the plan needs. */
export type Planning = {
  readonly console: Console;
  readonly configuration: Configuration;
  readonly site: Site;
  readonly salt: string;
  /** The objects of the last apply, by kind and name. */
  readonly before: ReadonlyMap<string, DeclaredObject>;
};

/** A part of the plan: what to change, and the objects that are as declared. */
export type Part = { readonly steps: readonly Step[]; readonly objects: readonly DeclaredObject[] };

export const toKey = ({ kind, name }: Pick<DeclaredObject, "kind" | "name">): string => `${kind}/${name}`;

export const indexObjects = (report: DeclaredReport | undefined): Map<string, DeclaredObject> =>
  new Map((report?.objects ?? []).map((object) => [toKey(object), object]));

/** An object without a secret. */
export const plainObject = (kind: DeclaredObject["kind"], name: string, id = 0): DeclaredObject => ({
  kind,
  name,
  id,
  fingerprint: "",
  mark: "",
});

/** The fingerprint of an object's secret; "" without one. */
export const toFingerprint = ({ salt }: Pick<Planning, "salt">, key: string, secret: string | undefined): string =>
  secret === undefined ? "" : getFingerprint(salt, key, secret);

/** A field whose values stay hidden. */
export const secretField = (field: string) => ({ field, declared: "(secret)", actual: "(another or unknown one)" });

/** The fields that differ; fields that are undefined in `declared` and have no value on the site are equal. */
export function compareFields(
  declared: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
): DeclaredDrift["fields"] {
  return Object.entries(declared).flatMap(([field, value]) =>
    toCanonical(value) === toCanonical(actual[field])
      ? []
      : [{ field, declared: show(value), actual: show(actual[field]) }],
  );
}

/**
 * The existing object of each declared one: the one that it was at the last apply, else the one of the same name at the same
 * place among those of that name.
 */
export function matchObjects<
  Declared extends { readonly label: string; readonly name: string },
  Item extends { readonly id: number; readonly name: string },
>(
  declared: readonly Declared[],
  items: readonly Item[],
  getId: (label: string) => number | undefined,
): Map<Declared, Item> {
  const matches = new Map<Declared, Item>();
  const free = new Map(items.map((item) => [item.id, item]));
  const take = (one: Declared, item: Item | undefined): void => {
    if (!item) return;
    matches.set(one, item);
    free.delete(item.id);
  };
  for (const one of declared) take(one, free.get(getId(one.label) ?? 0));
  for (const one of declared)
    if (!matches.has(one))
      take(
        one,
        [...free.values()].find(({ name }) => name === one.name),
      );
  return matches;
}
