import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject } from "../../core/chat/json.ts";

/** Both spellings that Google's JSON accepts. */
const CALLS = ["functionCall", "function_call", "functionResponse", "function_response"] as const;

function withoutId(part: unknown): unknown {
  const object = asObject(part);
  const name = CALLS.find((candidate) => asObject(object?.[candidate])?.["id"] !== undefined);
  if (!object || name === undefined) return part;
  const { id: _id, ...call } = asObject(object[name]) ?? {};
  return { ...object, [name]: call };
}

function clean(content: unknown): unknown {
  const object = asObject(content);
  if (!object) return content;
  const sent = asList(object["parts"]);
  const parts = sent.map(withoutId);
  const isChanged = parts.some((part, index) => part !== sent[index]);
  if (object["role"] !== undefined && !isChanged) return object;
  return { role: "user", ...object, ...(isChanged ? { parts } : {}) };
}

/**
 * Adapts a Gemini body for Vertex: function calls without ids ("Unknown name \"id\"… Cannot find field"), and a role
 * for each turn, which only AI Studio adds by itself. Returns the same object if nothing changes.
 */
export function forVertex(body: Json): Json {
  const contents = body["contents"];
  if (asObject(contents)) return { ...body, contents: clean(contents) };
  const sent = asList(contents);
  const cleaned = sent.map(clean);
  return cleaned.every((content, index) => content === sent[index]) ? body : { ...body, contents: cleaned };
}
