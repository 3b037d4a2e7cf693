import type { Json } from "../../core/chat/chat.ts";
import { ExactInteger } from "../../core/chat/json.ts";

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !(value instanceof ExactInteger);

const getKeys = (value: Json): string[] => Object.keys(value).filter((key) => value[key] !== undefined);

/**
 * What `after` has that `before` has not, by path (`messages[1].content`); `null` where it lacks something that `before` has.
 * Empty if both are equal.
 */
export function findDifferences(before: unknown, after: unknown, path = ""): Record<string, unknown> {
  if (Object.is(before, after) || (after instanceof ExactInteger && String(before) === String(after))) return {};
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after))
    return { [path]: after ?? null };
  const isList = Array.isArray(after);
  const keys = new Set([...getKeys(before), ...getKeys(after)]);
  const found = [...keys].map((key) => {
    const name = isList ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return findDifferences(before[key], after[key], name);
  });
  return Object.assign({}, ...found) as Record<string, unknown>;
}
