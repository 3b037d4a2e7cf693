import { expect, it } from "vitest";
import { findKeyType } from "./key-type.ts";

it.each([
  ["sk-ant-api03-x", 14],
  ["sk-or-v1-x", 20],
  ["sk-proj-x", 1],
  [` sk-${"0a".repeat(16)} `, 43],
  ["sk-anything-else", 1],
  ["AIzaSyX", 24],
  ["xai-x", 48],
  ["unknown", undefined],
])("takes %s for a key of type %s", (key, type) => {
  expect(findKeyType(key)).toBe(type);
});
