import { type CoverageTable, converted, everywhere, leftOut, toValueRows } from "../../sdk-coverage/coverage-table.ts";
import { getResponse, MESSAGE } from "./response-bodies.ts";

const READABLE = {
  "openai-chat": converted("`reasoning_content`"),
  "anthropic-messages": converted("a thinking block without a signature"),
  gemini: converted("a part with `thought`"),
};
const getBody = (fields: object) =>
  getResponse({ output: [{ type: "reasoning", id: "rs_1", summary: [], ...fields }, MESSAGE] });

/** The parts of a reasoning item's summary. */
export const SUMMARY_PARTS: CoverageTable = {
  title: "Responses: summary of reasoning",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseReasoningItem", path: ["summary"], members: "variants" },
  trial: { kind: "response", without: getBody({}), place: (part: object) => getBody({ summary: [part] }) },
  rows: { summary_text: { example: { type: "summary_text", text: "A greeting." }, ...READABLE } },
};

/** The parts of a reasoning item's content. */
export const REASONING_PARTS: CoverageTable = {
  title: "Responses: content of reasoning",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseReasoningItem", path: ["content"], members: "variants" },
  trial: { kind: "response", without: getBody({}), place: (part: object) => getBody({ content: [part] }) },
  rows: { reasoning_text: { example: { type: "reasoning_text", text: "They say hi." }, ...READABLE } },
};

const EFFORT = {
  "openai-chat": leftOut("gpt-4.1, the example's model, does not reason; others get the effort"),
  "anthropic-messages": converted("thinking with a budget of tokens"),
  gemini: converted("`thinkingBudget`, or `thinkingLevel` where the model knows it"),
};

/** How much the model reasons. */
export const EFFORTS: CoverageTable = {
  title: "Responses: efforts of reasoning",
  dialect: "openai-responses",
  union: { declarations: "openai-shared", type: "ReasoningEffort", members: "values" },
  trial: {
    kind: "request",
    without: { model: "m", input: "Hi" },
    place: (effort: string) => ({ model: "m", input: "Hi", reasoning: { effort } }),
  },
  rows: {
    none: {
      example: "none",
      ...EFFORT,
      "anthropic-messages": leftOut("Claude reasons only where the request enables it"),
    },
    ...toValueRows(["minimal", "low", "medium", "high", "xhigh", "max"], EFFORT),
  },
};

const PRICE = everywhere(converted("the tier whose price is charged"));

/** The tier that served a response. */
export const SERVICE_TIERS: CoverageTable = {
  title: "Responses: service tiers",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "Response", path: ["service_tier"], members: "values" },
  trial: {
    kind: "response",
    without: getResponse(),
    place: (tier: string) => getResponse({ service_tier: tier }),
  },
  rows: toValueRows(["auto", "default", "flex", "scale", "priority"], PRICE),
};

const PIXEL = "data:image/png;base64,iVBORw0KGgo=";
const withImage = (fields: object) => ({
  model: "m",
  input: [{ role: "user", content: [{ type: "input_image", image_url: PIXEL, ...fields }] }],
});
const DETAIL = {
  "openai-chat": converted("the same; `original` is `high`"),
  "anthropic-messages": leftOut("Claude has one level"),
  gemini: leftOut("the level holds for a whole call"),
};

/** How closely the model looks at an image. */
export const IMAGE_DETAILS: CoverageTable = {
  title: "Responses: details of images",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseInputImage", path: ["detail"], members: "values" },
  trial: { kind: "request", without: withImage({}), place: (detail: string) => withImage({ detail }) },
  rows: toValueRows(["auto", "low", "high", "original"], DETAIL),
};
