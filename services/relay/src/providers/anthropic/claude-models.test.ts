import { describe, expect, it } from "vitest";
import { claudeTraits } from "../formats/anthropic/claude-models.ts";
import { claudeSchema, isExpressible } from "../formats/anthropic/claude-schema.ts";
import { build } from "./anthropic-fixtures.ts";

describe("support of a Claude model", () => {
  it.each([
    ["claude-3-opus-20240229", "never", "unasked"],
    ["claude-3-5-sonnet-20241022", "never", "unasked"],
    ["claude-3-7-sonnet-20250219", "budget", "unasked"],
    ["claude-opus-4-20250514", "budget", "unasked"],
    ["claude-haiku-4-5-20251001", "budget", "unasked"],
    ["anthropic/claude-sonnet-4.5", "budget", "unasked"],
    ["claude-sonnet-4-6", "either", "unasked"],
    ["claude-opus-4-7", "adaptive", "unasked"],
    ["claude-sonnet-5", "adaptive", "disabled"],
    ["claude-haiku-5-5", "adaptive", "least"],
    ["claude-mythos-preview", "adaptive", "least"],
    ["my-alias", "budget", "unasked"],
  ])("depends on the name: %s", (model, thinking, off) => {
    expect(claudeTraits(model)).toMatchObject({ thinking, off });
  });

  const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
  const toA = { $ref: "#/definitions/A" };
  const closed = { additionalProperties: false };

  it("covers JSON schema with definitions under one keyword", () => {
    const schema = object({ a: toA }, { definitions: { A: object({ b: { type: "string" } }) } });
    expect(claudeSchema(schema)).toEqual({
      ...object({ a: { $ref: "#/$defs/A" } }, closed),
      $defs: { A: object({ b: { type: "string" } }, closed) },
    });
    expect(isExpressible(schema)).toBe(true);
  });

  it.each([
    ["maps", object({ scores: { type: "object", additionalProperties: { type: "number" } } })],
    ["objects of any kind", object({ any: { type: "object" } })],
    ["what refers to itself", object({ a: toA }, { definitions: { A: object({ a: toA }) } })],
    ["what is the whole again", object({ children: { type: "array", items: { $ref: "#" } } })],
    ["what is not there", object({ a: toA })],
    ["alternatives of two kinds", { anyOf: [{ type: "string" }], oneOf: [{ type: "string" }] }],
  ])("excludes a JSON schema that is %s", (_, schema) => {
    expect(isExpressible(schema)).toBe(false);
    const messages = [{ role: "user", parts: [{ type: "text", text: "hi" }] }] as const;
    const responseFormat = { type: "json-schema", name: "n", schema } as const;
    const body = build({ messages, responseFormat }, { model: "claude-sonnet-4-5" });
    expect(body).toMatchObject({ tool_choice: { type: "tool" } });
    expect(body).not.toHaveProperty("output_config");
  });

  it("covers a part of a JSON schema, and describes the other part in text", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      required: ["a"],
      properties: {
        a: { type: "string", format: "email", minLength: 3, description: "address" },
        b: { type: "array", items: { oneOf: [{ type: "string" }, { type: "null" }] }, minItems: 2 },
      },
    };
    expect(claudeSchema(schema)).toEqual({
      type: "object",
      required: ["a"],
      additionalProperties: false,
      properties: {
        a: { type: "string", format: "email", description: "address (minLength: 3)" },
        b: { type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] }, description: "minItems: 2" },
      },
    });
  });
});
