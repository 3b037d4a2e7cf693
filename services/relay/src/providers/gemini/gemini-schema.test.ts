import { describe, expect, it } from "vitest";
import { geminiParameters, geminiSchema } from "../formats/gemini/gemini-schema.ts";

describe("Gemini schema conversion", () => {
  it.each([
    [
      "unknown keywords left out",
      { type: "string", default: "x", $schema: "s", exclusiveMinimum: 1 },
      { type: "string" },
    ],
    ["closed objects opened", { type: "object", additionalProperties: false }, { type: "object" }],
    ["only two formats of strings", { type: "string", format: "email" }, { type: "string" }],
    ["date-time kept", { type: "string", format: "date-time" }, { type: "string", format: "date-time" }],
    ["formats of numbers kept", { type: "integer", format: "int32" }, { type: "integer", format: "int32" }],
    ["null as nullable", { type: ["string", "null"] }, { type: "string", nullable: true }],
    [
      "several types as alternatives",
      { type: ["string", "integer"] },
      { anyOf: [{ type: "string" }, { type: "integer" }] },
    ],
    ["a type for schemas without one", { description: "any" }, { type: "string", description: "any" }],
    ["a type of its values", { enum: [1, 2] }, { type: "integer", description: "One of: 1, 2" }],
    [
      "a type of what stands inside",
      { properties: { l: { items: { type: "number" } } } },
      { type: "object", properties: { l: { type: "array", items: { type: "number" } } } },
    ],
    [
      "no alternatives of required names alone",
      { type: "object", properties: { a: { type: "string" } }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { type: "object", properties: { a: { type: "string" } } },
    ],
    [
      "items for alternatives that are lists",
      { type: ["array", "string"], items: { type: "integer" } },
      { anyOf: [{ type: "array", items: { type: "integer" } }, { type: "string" }] },
    ],
    ["a constant as an enum", { const: "a" }, { type: "string", enum: ["a"] }],
    [
      "string enums, others described in text",
      { type: "integer", enum: [1, 2], description: "Size" },
      { type: "integer", description: "Size (One of: 1, 2)" },
    ],
    ["null in an enum as nullable", { enum: ["a", null] }, { type: "string", enum: ["a"], nullable: true }],
    ["null alone as nullable", { type: "null" }, { type: "string", nullable: true }],
    ["no formats of other numbers", { type: "integer", format: "uint32", minimum: 0 }, { type: "integer", minimum: 0 }],
    [
      "places of a list as a list of as many",
      { type: "array", prefixItems: [{ type: "number" }, { type: "number" }] },
      { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
    ],
    [
      "references that lead to references, or into properties, followed",
      {
        type: "object",
        properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/properties/a" } },
        $defs: { A: { $ref: "#/$defs/B" }, B: { type: "integer" } },
      },
      { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } } },
    ],
    [
      "no keywords next to alternatives",
      {
        description: "An id",
        type: "object",
        required: ["a"],
        anyOf: [{ properties: { a: { type: "string" } } }, { description: "By name", properties: { b: {} } }],
      },
      {
        anyOf: [
          { type: "object", description: "An id", properties: { a: { type: "string" } }, required: ["a"] },
          { type: "object", description: "By name", properties: { b: { type: "string" } } },
        ],
      },
    ],
    ["items for every list", { type: "array" }, { type: "array", items: { type: "string" } }],
    [
      "oneOf as anyOf, null as nullable",
      { oneOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
      {
        anyOf: [
          { type: "string", nullable: true },
          { type: "integer", nullable: true },
        ],
      },
    ],
    [
      "one alternative put in place",
      { anyOf: [{ type: "string" }, { type: "null" }] },
      { type: "string", nullable: true },
    ],
    [
      "references put in place",
      { type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { type: "string", title: "T" } } },
      { type: "object", properties: { a: { type: "string", title: "T" } } },
    ],
    [
      "pieces of allOf joined",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { properties: { b: { type: "string" } } },
        ],
      },
      { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a"] },
    ],
    [
      "required names that exist",
      { type: "object", properties: { a: { type: "string" } }, required: ["a", "ghost"] },
      { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    ],
    [
      "properties called like keywords",
      { type: "object", properties: { default: { type: "string" }, $ref: { type: "string" } } },
      { type: "object", properties: { default: { type: "string" }, $ref: { type: "string" } } },
    ],
  ])("handles %s", (_, schema, expected) => {
    expect(geminiSchema(schema)).toEqual(expected);
  });

  it("ends for recursive schemas", () => {
    const schema = { $ref: "#/$defs/A", $defs: { A: { type: "object", properties: { a: { $ref: "#/$defs/A" } } } } };
    expect(geminiSchema(schema)).toMatchObject({ type: "object", properties: { a: { type: "object" } } });
  });

  it.each([
    ["in two places", { l: { $ref: "#/$defs/A" }, r: { $ref: "#/$defs/A" } }],
    ["in a list of alternatives", { all: { type: "array", items: { anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#" }] } } }],
  ])("keeps recursive schemas %s small", (_, properties) => {
    const schema = { $ref: "#/$defs/A", $defs: { A: { type: "object", properties } } };
    expect(JSON.stringify(geminiSchema(schema)).length).toBeLessThan(1_000);
  });

  it("cuts off schemas whose references branch without end", () => {
    const branching = (level: number) => ({
      type: "object",
      properties: { l: { $ref: `#/$defs/${level + 1}` }, r: { $ref: `#/$defs/${level + 1}` } },
    });
    const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, level) => [level, branching(level)]));
    expect(JSON.stringify(geminiSchema({ $ref: "#/$defs/0", $defs })).length).toBeLessThan(200_000);
  });

  it("omits schemas of functions without parameters", () => {
    expect(geminiParameters({ type: "object", properties: {} })).toBeUndefined();
    expect(geminiParameters({})).toBeUndefined();
  });
});
