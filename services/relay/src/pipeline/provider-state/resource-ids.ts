import type { Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";

/** Fields with the id of a container, a file or a vector store, as a string. */
const ID_FIELDS: ReadonlySet<string> = new Set(["container_id", "file_id", "vector_store_id"]);
const ID_LISTS: ReadonlySet<string> = new Set(["file_ids", "vector_store_ids"]);
/** Fields that are an id, or an object with it. */
const NAMED: ReadonlySet<string> = new Set(["conversation", "prompt"]);
/** Fields whose objects hold such ids, in requests, responses, their items and events; no field of the caller's own form. */
const NESTED: ReadonlySet<string> = new Set([
  "annotation",
  "annotations",
  "container",
  "content",
  "data",
  "environment",
  "input",
  "input_image_mask",
  "instructions",
  "item",
  "output",
  "part",
  "response",
  "results",
  "tools",
]);
/** Lists whose entries only cite a file: without the id they may be omitted. */
const CITATIONS: ReadonlySet<string> = new Set(["annotations", "results"]);

/** Returns what replaces an id; undefined omits the entry that cites it, and leaves every other id as it is. */
export type ReplaceId = (id: string, path: string, isCitation: boolean) => string | undefined;

type Place = { readonly path: string; readonly isCitation: boolean };

/** Marks an entry to be omitted. */
const OMITTED = Symbol("omitted");

function replaceList(name: string, values: readonly unknown[], place: Place, replace: ReplaceId): readonly unknown[] {
  const isCitation = place.isCitation || CITATIONS.has(name);
  const replaced = values.map((value, at) => {
    const path = `${place.path}[${at}]`;
    if (ID_LISTS.has(name) && typeof value === "string") return replace(value, path, isCitation) ?? value;
    const object = asObject(value);
    return object ? replaceWithin(object, { path, isCitation }, replace) : value;
  });
  if (replaced.every((value, at) => value === values[at])) return values;
  return replaced.filter((value) => value !== OMITTED);
}

function replaceText(name: string, value: string, { path, isCitation }: Place, replace: ReplaceId): unknown {
  const isId = ID_FIELDS.has(name) || NAMED.has(name) || name === "container";
  if (!isId || value === "") return value;
  return replace(value, path, isCitation) ?? (isCitation ? OMITTED : value);
}

function replaceField(name: string, value: unknown, place: Place, replace: ReplaceId): unknown {
  if (typeof value === "string") return replaceText(name, value, place, replace);
  if (Array.isArray(value))
    return ID_LISTS.has(name) || NESTED.has(name) ? replaceList(name, value, place, replace) : value;
  const object = asObject(value);
  if (object && NAMED.has(name) && typeof object["id"] === "string") {
    const id = replace(object["id"], `${place.path}.id`, place.isCitation);
    return id === undefined ? value : { ...object, id };
  }
  return object && NESTED.has(name) ? replaceWithin(object, place, replace) : value;
}

function replaceWithin(object: Json, place: Place, replace: ReplaceId): Json | typeof OMITTED {
  let changed: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(object)) {
    if (typeof value !== "object" && typeof value !== "string") continue;
    const path = place.path === "" ? name : `${place.path}.${name}`;
    const replaced = replaceField(name, value, { path, isCitation: place.isCitation }, replace);
    if (replaced === OMITTED) return OMITTED;
    if (replaced !== value) (changed ??= { ...object })[name] = replaced;
  }
  return changed ?? object;
}

/**
 * Replaces the ids of conversations, stored prompts, containers, files and vector stores in a request, a response or an event of the
 * Responses API. Returns the same object if nothing changes.
 */
export function replaceResourceIds(object: Json, replace: ReplaceId): Json {
  const replaced = replaceWithin(object, { path: "", isCitation: false }, replace);
  return replaced === OMITTED ? {} : replaced;
}
