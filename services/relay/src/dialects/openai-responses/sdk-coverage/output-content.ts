import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { getResponse, MESSAGE } from "./response-bodies.ts";

const TEXT = { type: "output_text", text: "Hello", annotations: [], logprobs: [] };
const FILES = leftOut("it names a file of the provider's storage, which the caller's key cannot read");

const getBody = (...content: readonly object[]) => getResponse({ output: [{ ...MESSAGE, content }] });

/** The parts of a message in a response. */
export const OUTPUT_CONTENT: CoverageTable = {
  title: "Responses: content of output messages",
  dialect: "openai-responses",
  union: {
    declarations: "openai-responses",
    type: "ResponseOutputMessage",
    path: ["content"],
    members: "variants",
  },
  trial: { kind: "response", without: getBody(TEXT), place: (example: object) => getBody(TEXT, example) },
  rows: {
    output_text: {
      example: { ...TEXT, text: " there" },
      "openai-chat": converted("text"),
      "anthropic-messages": converted("a text block"),
      gemini: converted("a text part"),
    },
    refusal: {
      example: { type: "refusal", refusal: "I cannot help with that." },
      "openai-chat": converted("`refusal`"),
      "anthropic-messages": converted("text, and the stop reason `refusal`"),
      gemini: converted("text, and the finish reason `SAFETY`"),
    },
  },
};

/** What a text of a response refers to. */
export const ANNOTATIONS: CoverageTable = {
  title: "Responses: annotations of output text",
  dialect: "openai-responses",
  union: {
    declarations: "openai-responses",
    type: "ResponseOutputText",
    path: ["annotations"],
    members: "variants",
  },
  trial: {
    kind: "response",
    without: getBody(TEXT),
    place: (example: object) => getBody({ ...TEXT, annotations: [example] }),
  },
  rows: {
    url_citation: {
      example: { type: "url_citation", start_index: 0, end_index: 5, title: "A", url: "https://a.example" },
      "openai-chat": converted("the annotation"),
      "anthropic-messages": converted("a citation"),
      gemini: converted("`groundingMetadata`"),
    },
    file_citation: {
      example: { type: "file_citation", index: 5, file_id: "file_1", filename: "lease.pdf" },
      ...everywhere(FILES),
    },
    container_file_citation: {
      example: {
        type: "container_file_citation",
        start_index: 0,
        end_index: 5,
        container_id: "cntr_1",
        file_id: "cfile_1",
        filename: "plot.png",
      },
      ...everywhere(FILES),
    },
    file_path: { example: { type: "file_path", index: 5, file_id: "file_1" }, ...everywhere(FILES) },
  },
};
