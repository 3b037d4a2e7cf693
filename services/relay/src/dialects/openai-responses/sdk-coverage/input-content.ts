import { type CoverageTable, converted } from "../../sdk-coverage/coverage-table.ts";

const PIXEL = "data:image/png;base64,iVBORw0KGgo=";

/** The parts of a message in a request. */
export const INPUT_CONTENT: CoverageTable = {
  title: "Responses: content of input messages",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseInputContent", members: "variants" },
  trial: {
    kind: "request",
    without: { model: "m", input: [{ role: "user", content: [{ type: "input_text", text: "Hi" }] }] },
    place: (example: object) => ({
      model: "m",
      input: [{ role: "user", content: [{ type: "input_text", text: "Hi" }, example] }],
    }),
  },
  rows: {
    input_text: {
      example: { type: "input_text", text: "Weather here?" },
      "openai-chat": converted("a text part"),
      "anthropic-messages": converted("a text block"),
      gemini: converted("a text part"),
    },
    input_image: {
      example: { type: "input_image", image_url: PIXEL },
      "openai-chat": converted("an `image_url` part"),
      "anthropic-messages": converted("an image block"),
      gemini: converted("`inlineData`"),
    },
    input_file: {
      example: { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
      "openai-chat": converted("a file part"),
      "anthropic-messages": converted("a document block"),
      gemini: converted("`inlineData`"),
    },
  },
};
