import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, toValueRows } from "../../sdk-coverage/coverage-table.ts";
import { getCompletion, MESSAGE } from "./completion-bodies.ts";

const getBody = (fields: Json = {}) => ({ model: "m", messages: [{ role: "user", content: "Hi" }], ...fields });

const EFFORT = {
  "openai-responses": converted("`reasoning.effort`, the nearest that the model knows"),
  "anthropic-messages": converted("thinking with a budget of tokens"),
  gemini: converted("`thinkingBudget`, or `thinkingLevel` where the model knows it"),
};

/** How much the model reasons. */
export const EFFORTS: CoverageTable = {
  title: "Chat: efforts of reasoning",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletionReasoningEffort", members: "values" },
  trial: {
    kind: "request",
    without: getBody(),
    place: (effort: string) => getBody({ reasoning_effort: effort }),
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
  title: "Chat: service tiers",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletion", path: ["service_tier"], members: "values" },
  trial: {
    kind: "response",
    without: getCompletion(MESSAGE),
    place: (tier: string) => ({ ...getCompletion(MESSAGE), service_tier: tier }),
  },
  rows: toValueRows(["auto", "default", "flex", "scale", "priority"], PRICE),
};

const withImage = (fields: Json) =>
  getBody({
    messages: [
      {
        role: "user",
        content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=", ...fields } }],
      },
    ],
  });
const DETAIL = {
  "openai-responses": converted("the same"),
  "anthropic-messages": leftOut("Claude has one level"),
  gemini: leftOut("the level holds for a whole call"),
};

/** How closely the model looks at an image. */
export const IMAGE_DETAILS: CoverageTable = {
  title: "Chat: details of images",
  dialect: "openai-chat",
  union: {
    declarations: "openai-chat",
    type: "ChatCompletionContentPartImage",
    path: ["image_url", "detail"],
    members: "values",
  },
  trial: { kind: "request", without: withImage({}), place: (detail: string) => withImage({ detail }) },
  rows: toValueRows(["auto", "low", "high"], DETAIL),
};
