import { expect, it } from "vitest";
import { toolArguments } from "./tool-calls.ts";

it.each([
  ['{"id":1234567890123456789,"near":[-98765432109876543210,1.5e300,0.1]}', undefined],
  ['{"text":"1234567890123456789 \\"quoted\\"","n":9007199254740993}', undefined],
  ['{"a":1}', undefined],
  ["", "{}"],
  ["not json 1234567890123456789", '{"_raw":"not json 1234567890123456789"}'],
])("keeps all digits of numbers in arguments: %s", (text, expected) => {
  expect(JSON.stringify(toolArguments(text))).toBe(expected ?? text.replace("1.5e300", "1.5e+300"));
});
