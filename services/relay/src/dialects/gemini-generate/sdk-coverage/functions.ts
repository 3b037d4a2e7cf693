import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { BODY, NOON, getPartsBody } from "./generate-bodies.ts";

const STRING = { type: "STRING" };
const declare = (fields: Json): Json => ({
  ...BODY,
  tools: [{ functionDeclarations: [{ name: "clock", ...fields }] }],
});

/** A function that a model may call. */
export const FUNCTION_DECLARATION: CoverageTable = {
  title: "Gemini: function declarations",
  dialect: "gemini",
  union: { declarations: "gemini", type: "FunctionDeclaration", members: "fields" },
  trial: { kind: "request", without: declare({}), place: declare },
  rows: {
    name: {
      example: { name: "alarm" },
      ...everywhere(converted("the name; one that other formats refuse is shortened and restored")),
    },
    description: { example: { description: "The time." }, ...everywhere(converted("the description")) },
    parameters: {
      example: { parameters: { type: "OBJECT", properties: { zone: STRING } } },
      "openai-chat": converted("`parameters`"),
      "openai-responses": converted("`parameters`"),
      "anthropic-messages": converted("`input_schema`"),
    },
    parametersJsonSchema: {
      example: { parametersJsonSchema: { type: "object", properties: { zone: { type: "string" } } } },
      "openai-chat": converted("`parameters`"),
      "openai-responses": converted("`parameters`"),
      "anthropic-messages": converted("`input_schema`"),
    },
    response: {
      example: { response: { type: "OBJECT", properties: { time: STRING } } },
      ...everywhere(leftOut("it describes the result; the result itself is sent")),
    },
    responseJsonSchema: {
      example: { responseJsonSchema: { type: "object", properties: { time: { type: "string" } } } },
      ...everywhere(leftOut("it describes the result; the result itself is sent")),
    },
    behavior: {
      example: { behavior: "NON_BLOCKING" },
      ...everywhere(leftOut("it is for live sessions; elsewhere the response waits for every function")),
    },
  },
};

const CALL = { id: "c1", name: "clock", args: { zone: "UTC" } };
const call = (fields: Json): Json => getPartsBody(NOON, { functionCall: { ...CALL, ...fields } });

/** A call that Gemini returns. */
export const FUNCTION_CALL: CoverageTable = {
  title: "Gemini: function calls",
  dialect: "gemini",
  union: { declarations: "gemini", type: "FunctionCall", members: "fields" },
  trial: { kind: "response", without: call({}), place: call },
  rows: {
    id: {
      example: { id: "c2" },
      "openai-chat": converted("`id`"),
      "openai-responses": converted("`call_id`"),
      "anthropic-messages": converted("`id`"),
    },
    name: { example: { name: "alarm" }, ...everywhere(converted("the name as the caller declared it")) },
    args: {
      example: { args: { zone: "CET" } },
      "openai-chat": converted("`arguments`"),
      "openai-responses": converted("`arguments`"),
      "anthropic-messages": converted("`input`"),
    },
    partialArgs: {
      example: { partialArgs: [{ jsonPath: "$.zone", stringValue: "UTC" }] },
      ...everywhere(leftOut("Vertex AI streams arguments so where the caller requests it, and no converted call does")),
    },
    willContinue: {
      example: { willContinue: false },
      ...everywhere(leftOut("Vertex AI streams arguments so where the caller requests it, and no converted call does")),
    },
  },
};

const configure = (toolConfig: Json): Json => ({ ...declare({}), toolConfig });

/** How the tools of a call are used. */
export const TOOL_CONFIG: CoverageTable = {
  title: "Gemini: tool settings",
  dialect: "gemini",
  union: { declarations: "gemini", type: "ToolConfig", members: "fields" },
  trial: { kind: "request", without: declare({}), place: configure },
  rows: {
    functionCallingConfig: {
      example: { functionCallingConfig: { mode: "ANY" } },
      ...everywhere(converted("`tool_choice`")),
    },
    retrievalConfig: {
      example: { retrievalConfig: { latLng: { latitude: 46.9, longitude: 7.4 } } },
      ...everywhere(leftOut("it is the place for Google's search and maps; other searches take no coordinates")),
    },
    includeServerSideToolInvocations: {
      example: { includeServerSideToolInvocations: true },
      ...everywhere(leftOut("it requests what Google's own tools did, which run at Google alone")),
    },
  },
};
