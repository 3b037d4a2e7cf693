import type { Json } from "../../../core/chat/chat.ts";

/** The value of a form's text: numbers and booleans are strings in forms. */
function typed(value: unknown): unknown {
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** The fields of a form as JSON. */
export const typedFields = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typed(value)]));
