import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";

/** The formats of the text of a response. */
export const TEXT_FORMATS: CoverageTable = {
  title: "Responses: text formats",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseFormatTextConfig", members: "variants" },
  trial: {
    kind: "request",
    without: { model: "m", input: "Hi" },
    place: (format: object) => ({ model: "m", input: "Hi", text: { format } }),
  },
  rows: {
    text: {
      example: { type: "text" },
      "openai-chat": converted("the same"),
      "anthropic-messages": leftOut("text is the default"),
      gemini: leftOut("text is the default"),
    },
    json_object: { example: { type: "json_object" }, ...everywhere(converted("JSON")) },
    json_schema: {
      example: {
        type: "json_schema",
        name: "weather",
        schema: {
          type: "object",
          properties: { degrees: { type: "number" } },
          required: ["degrees"],
          additionalProperties: false,
        },
        strict: true,
      },
      ...everywhere(converted("the schema")),
    },
  },
};
