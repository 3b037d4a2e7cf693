import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere } from "../../sdk-coverage/coverage-table.ts";
import { NOON, CALL, getBody, PDF, PIXEL, RESULT } from "./request-fixtures.ts";

const getResultBody = (content: readonly Json[]): Json => getBody([NOON, CALL], [{ ...RESULT, content }]);

/** The blocks of what a tool of the caller's returned. */
export const TOOL_RESULT_CONTENT: CoverageTable = {
  title: "Messages: content of tool results",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaToolResultBlockParam", path: ["content"], members: "variants" },
  trial: { kind: "request", without: getResultBody([NOON]), place: (block: Json) => getResultBody([NOON, block]) },
  rows: {
    text: { example: { type: "text", text: "UTC" }, ...everywhere(converted("text of the result")) },
    image: {
      example: { type: "image", source: PIXEL },
      "openai-chat": converted("an `image_url` part in a user message after the result"),
      "openai-responses": converted("an `input_image` part of the output"),
      gemini: converted("`inlineData` next to the result"),
    },
    document: {
      example: { type: "document", source: PDF, title: "a.pdf" },
      "openai-chat": converted("a file part in a user message after the result"),
      "openai-responses": converted("an `input_file` part of the output"),
      gemini: converted("`inlineData` next to the result"),
    },
    search_result: {
      example: {
        type: "search_result",
        source: "https://a.example",
        title: "Clocks",
        content: [{ type: "text", text: "Noon." }],
      },
      ...everywhere(converted("text: title, source, content")),
    },
    tool_reference: {
      example: { type: "tool_reference", tool_name: "clock" },
      ...everywhere(converted("text: the tool that is available now")),
    },
    browser_state: {
      example: {
        type: "browser_state",
        tabs: [{ tab_id: "1", url: "https://a.example", title: "Clocks", active: true }],
        state_changes: null,
      },
      ...everywhere(converted("its tabs and changes as JSON text")),
    },
  },
};
