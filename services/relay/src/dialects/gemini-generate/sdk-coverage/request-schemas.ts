import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { BODY, CLOCK } from "./generate-bodies.ts";

const declare = (schema: Json): Json => ({
  ...BODY,
  tools: [{ functionDeclarations: [{ ...CLOCK, parameters: { type: "OBJECT", properties: { at: schema } } }] }],
});

/** The types of schemas. */
export const SCHEMA_TYPES: CoverageTable = {
  title: "Gemini: types of schemas",
  dialect: "gemini",
  union: { declarations: "gemini", type: "Type", members: "values" },
  trial: {
    kind: "request",
    without: declare({}),
    place: (type: string) => declare({ type, ...(type === "ARRAY" ? { items: { type: "STRING" } } : {}) }),
  },
  rows: {
    STRING: { example: "STRING", ...everywhere(converted("`string`")) },
    NUMBER: { example: "NUMBER", ...everywhere(converted("`number`")) },
    INTEGER: { example: "INTEGER", ...everywhere(converted("`integer`")) },
    BOOLEAN: { example: "BOOLEAN", ...everywhere(converted("`boolean`")) },
    ARRAY: { example: "ARRAY", ...everywhere(converted("`array`")) },
    OBJECT: { example: "OBJECT", ...everywhere(converted("`object`")) },
    NULL: { example: "NULL", ...everywhere(converted("`null`")) },
    TYPE_UNSPECIFIED: {
      example: "TYPE_UNSPECIFIED",
      ...everywhere(leftOut("a JSON schema without a type allows any")),
    },
  },
};

const STRING = { type: "STRING" };

/** The keywords of schemas. */
export const SCHEMA_FIELDS: CoverageTable = {
  title: "Gemini: schemas",
  dialect: "gemini",
  union: { declarations: "gemini", type: "Schema", members: "fields" },
  trial: { kind: "request", without: declare(STRING), place: (fields: Json) => declare({ ...STRING, ...fields }) },
  rows: {
    type: { example: { type: "INTEGER" }, ...everywhere(converted("the type in small letters")) },
    description: { example: { description: "The hour." }, ...everywhere(converted("the same keyword")) },
    title: { example: { title: "Hour" }, ...everywhere(converted("the same keyword")) },
    format: { example: { format: "date-time" }, ...everywhere(converted("the same keyword")) },
    pattern: { example: { pattern: "^\\d+$" }, ...everywhere(converted("the same keyword")) },
    enum: { example: { enum: ["1", "2"] }, ...everywhere(converted("the same keyword")) },
    default: { example: { default: "1" }, ...everywhere(converted("the same keyword")) },
    example: { example: { example: "1" }, ...everywhere(converted("the same keyword")) },
    nullable: { example: { nullable: true }, ...everywhere(converted("`null` among the types")) },
    minLength: { example: { minLength: "1" }, ...everywhere(converted("the same keyword, as a number")) },
    maxLength: { example: { maxLength: "9" }, ...everywhere(converted("the same keyword, as a number")) },
    minimum: {
      example: { type: "INTEGER", minimum: 1 },
      without: declare({ type: "INTEGER" }),
      ...everywhere(converted("the same keyword")),
    },
    maximum: {
      example: { type: "INTEGER", maximum: 9 },
      without: declare({ type: "INTEGER" }),
      ...everywhere(converted("the same keyword")),
    },
    items: { example: { type: "ARRAY", items: { type: "INTEGER" } }, ...everywhere(converted("the same keyword")) },
    minItems: {
      example: { type: "ARRAY", items: STRING, minItems: "1" },
      without: declare({ type: "ARRAY", items: STRING }),
      ...everywhere(converted("the same keyword, as a number")),
    },
    maxItems: {
      example: { type: "ARRAY", items: STRING, maxItems: "9" },
      without: declare({ type: "ARRAY", items: STRING }),
      ...everywhere(converted("the same keyword, as a number")),
    },
    properties: {
      example: { type: "OBJECT", properties: { hour: STRING } },
      ...everywhere(converted("the same keyword")),
    },
    required: {
      example: { type: "OBJECT", properties: { hour: STRING }, required: ["hour"] },
      without: declare({ type: "OBJECT", properties: { hour: STRING } }),
      ...everywhere(converted("the same keyword")),
    },
    propertyOrdering: {
      example: { type: "OBJECT", properties: { hour: STRING }, propertyOrdering: ["hour"] },
      without: declare({ type: "OBJECT", properties: { hour: STRING } }),
      ...everywhere(leftOut("it orders the fields and does not limit them; the order of `properties` is kept")),
    },
    minProperties: {
      example: { type: "OBJECT", properties: { hour: STRING }, minProperties: "1" },
      without: declare({ type: "OBJECT", properties: { hour: STRING } }),
      ...everywhere(converted("the same keyword, as a number")),
    },
    maxProperties: {
      example: { type: "OBJECT", properties: { hour: STRING }, maxProperties: "9" },
      without: declare({ type: "OBJECT", properties: { hour: STRING } }),
      ...everywhere(converted("the same keyword, as a number")),
    },
    anyOf: {
      example: { anyOf: [{ type: "STRING" }, { type: "INTEGER" }] },
      ...everywhere(converted("the same keyword")),
    },
  },
};
