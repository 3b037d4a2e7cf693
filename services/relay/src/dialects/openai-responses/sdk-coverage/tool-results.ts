import { type CoverageTable, converted } from "../../sdk-coverage/coverage-table.ts";

const CALL = { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" };

const getBody = (...parts: readonly object[]) => ({
  model: "m",
  tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} }, strict: false }],
  input: [
    { role: "user", content: "Look" },
    CALL,
    { type: "function_call_output", call_id: "call_1", output: [{ type: "input_text", text: "Done." }, ...parts] },
  ],
});

/** The parts of a tool's result. */
export const TOOL_RESULTS: CoverageTable = {
  title: "Responses: content of tool results",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseFunctionCallOutputItem", members: "variants" },
  trial: { kind: "request", without: getBody(), place: (example: object) => getBody(example) },
  rows: {
    input_text: {
      example: { type: "input_text", text: "Two files." },
      "openai-chat": converted("more text of the tool's message"),
      "anthropic-messages": converted("a text block of the result"),
      gemini: converted("more text of the result"),
    },
    input_image: {
      example: { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" },
      "openai-chat": converted("an image in a message of the user, since tools' messages hold text alone"),
      "anthropic-messages": converted("an image block of the result"),
      gemini: converted("`inlineData` next to the result"),
    },
    input_file: {
      example: { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
      "openai-chat": converted("a file in a message of the user, since tools' messages hold text alone"),
      "anthropic-messages": converted("a document block of the result"),
      gemini: converted("`inlineData` next to the result"),
    },
  },
};
