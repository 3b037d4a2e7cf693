import type { ReplaceFileId, StoredFiles } from "../../core/call/dialect.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";

/** Fields whose objects hold content blocks or ids; not `input`, which is a tool's own. */
const NESTED: ReadonlySet<string> = new Set(["content", "content_block", "delta", "message", "messages", "source"]);
const RESULT = "code_execution_tool_result";

type Place = { readonly path: string; readonly isCitation: boolean };

const isResult = ({ type }: Json): boolean => asText(type)?.endsWith(RESULT) === true;

function replaceContainer(value: unknown, { path, isCitation }: Place, replace: ReplaceFileId): unknown {
  if (typeof value === "string") return replace(value, path, isCitation);
  const container = asObject(value);
  const id = asText(container?.["id"]);
  return container && id !== undefined ? { ...container, id: replace(id, `${path}.id`, isCitation) } : value;
}

function replaceList(values: readonly unknown[], { path, isCitation }: Place, replace: ReplaceFileId): unknown {
  const replaced = values.map((value, at) => {
    const object = asObject(value);
    return object ? replaceWithin(object, { path: `${path}[${at}]`, isCitation }, replace) : value;
  });
  return replaced.every((value, at) => value === values[at]) ? values : replaced;
}

function replaceField(name: string, value: unknown, place: Place, replace: ReplaceFileId): unknown {
  if (name === "container") return replaceContainer(value, place, replace);
  if (name === "file_id") return typeof value === "string" ? replace(value, place.path, place.isCitation) : value;
  if (!NESTED.has(name)) return value;
  if (Array.isArray(value)) return replaceList(value, place, replace);
  const object = asObject(value);
  return object ? replaceWithin(object, place, replace) : value;
}

function replaceWithin(object: Json, place: Place, replace: ReplaceFileId): Json {
  const isCitation = place.isCitation || isResult(object);
  let changed: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(object)) {
    const path = place.path === "" ? name : `${place.path}.${name}`;
    const replaced = replaceField(name, value, { path, isCitation }, replace);
    if (replaced !== value) (changed ??= { ...object })[name] = replaced;
  }
  return changed ?? object;
}

function holdsFile(value: unknown): boolean {
  const block = asObject(value);
  if (!block) return false;
  const { type, source } = block;
  if (type === "container_upload" || isResult(block) || asObject(source)?.["type"] === "file") return true;
  return type === "tool_result" && asList(block["content"]).some(holdsFile);
}

/**
 * The containers and files that Anthropic keeps for an account: `container` of requests and responses, `file_id` of content blocks
 * and of the results of code execution. Source: Anthropic's API reference, "Code execution tool" and "Files".
 */
export const storedFiles: StoredFiles = {
  isUsed: (body) =>
    (body["container"] ?? undefined) !== undefined ||
    asList(body["tools"]).some((tool) => asText(asObject(tool)?.["type"])?.startsWith("code_execution")) ||
    asList(body["messages"]).some((message) => asList(asObject(message)?.["content"]).some(holdsFile)),
  replaceIds: (json, replace) => replaceWithin(json, { path: "", isCitation: false }, replace),
};
