import { expect, it } from "vitest";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { isStrictSchema } from "./strict-schema.ts";

const text = { type: "string" };
const object = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});
const getList = (items: object) => object({ a: { type: "array", items } }, { required: ["a"] });

it.each([
  [true, object({})],
  [true, object({ a: text }, { required: ["a"] })],
  [true, getList(object({}))],
  [false, object({ a: text, b: text }, { required: ["a"] })],
  [false, { type: "object", properties: {} }],
  [false, { type: "object" }],
  [false, getList(object({ b: text }))],
  [false, object({}, { $defs: { b: object({ b: text }) } })],
])("is %s by the rules of OpenAI's strict mode: %j", (isKept, schema) => {
  expect(isStrictSchema(schema)).toBe(isKept);
  const body = {
    model: "m",
    messages: [{ role: "user", content: "hi" }],
    max_tokens: 9,
    tools: [{ name: "f", input_schema: schema, strict: true }],
  };
  expect(anthropicMessages.parseRequest(body).tools?.[0]?.strict).toBe(isKept);
});
