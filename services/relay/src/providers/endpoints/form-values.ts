import type { Json } from "../../core/chat/chat.ts";

/** What a text of a form means: numbers and flags are written as words there. */
function typed(value: unknown): unknown {
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Fields of a form as JSON has them. */
export const typedFields = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, typed(value)]));
