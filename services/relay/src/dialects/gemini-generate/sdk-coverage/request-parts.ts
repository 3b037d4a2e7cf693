import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, refused } from "../../sdk-coverage/coverage-table.ts";
import { NOON, BODY, CONTENTS } from "./generate-bodies.ts";

const PNG = { mimeType: "image/png", data: "iVBORw0KGgo=" };
const CALL = { name: "clock", args: { zone: "UTC" } };
const RESULT = { name: "clock", response: { result: "12:00" } };
const QUESTION = { text: "And now?" };
const FUNCTIONS = [{ functionDeclarations: [{ name: "clock", parameters: { type: "OBJECT", properties: {} } }] }];

const getBody = (responseParts: readonly Json[], sent: readonly Json[]): Json => ({
  contents: [...CONTENTS, { role: "model", parts: responseParts }, { role: "user", parts: sent }],
  tools: FUNCTIONS,
});

const BY_MODEL = ["executableCode", "codeExecutionResult", "toolCall", "toolResponse", "thought", "thoughtSignature"];

function place(part: Json): Json {
  if (part["functionCall"]) return getBody([NOON, part], [{ functionResponse: RESULT }, QUESTION]);
  if (part["functionResponse"]) return getBody([NOON, { functionCall: CALL }], [part, QUESTION]);
  return BY_MODEL.some((name) => part[name] !== undefined)
    ? getBody([part, NOON], [QUESTION])
    : getBody([NOON], [part, QUESTION]);
}

const without = (part: Json): Json => place(part);
const HOSTED = everywhere(leftOut("Google ran the tool; what the model found is in its text"));

/** The parts of a conversation that a caller sends. */
export const REQUEST_PARTS: CoverageTable = {
  title: "Gemini: parts of requests",
  dialect: "gemini",
  union: { declarations: "gemini", type: "Part", members: "fields" },
  trial: { kind: "request", without: getBody([NOON], [QUESTION]), place },
  rows: {
    text: {
      example: { text: "Look at the clock." },
      "openai-chat": converted("text"),
      "openai-responses": converted("`input_text`"),
      "anthropic-messages": converted("a text block"),
    },
    thought: {
      example: { text: "A clock is needed.", thought: true },
      "openai-chat": leftOut("OpenAI's models take no reasoning of others; DeepSeek and OpenRouter get it back"),
      "openai-responses": leftOut("OpenAI's models take no reasoning of others"),
      "anthropic-messages": leftOut("Claude takes signed thinking of its own alone"),
    },
    thoughtSignature: {
      example: { functionCall: CALL, thoughtSignature: "c2ln" },
      without: getBody([NOON, { functionCall: CALL }], [{ functionResponse: RESULT }, QUESTION]),
      ...everywhere(leftOut("Gemini alone reads its signature; reasoning of others that it carries goes back to them")),
    },
    inlineData: {
      example: { inlineData: PNG },
      "openai-chat": converted("an `image_url`, `input_audio` or file part"),
      "openai-responses": converted("an `input_image` or `input_file` part"),
      "anthropic-messages": converted("an image or document block"),
    },
    fileData: {
      example: { fileData: { mimeType: "image/png", fileUri: "https://a.example/clock.png" } },
      "openai-chat": converted("an `image_url` part"),
      "openai-responses": converted("an `input_image` part"),
      "anthropic-messages": converted("an image block"),
    },
    functionCall: {
      example: { functionCall: CALL },
      "openai-chat": converted("`tool_calls`"),
      "openai-responses": converted("a `function_call` item"),
      "anthropic-messages": converted("a `tool_use` block"),
    },
    functionResponse: {
      example: { functionResponse: RESULT },
      without: getBody(
        [NOON, { functionCall: CALL }],
        [{ functionResponse: { name: "clock", response: { result: "" } } }, QUESTION],
      ),
      "openai-chat": converted("a tool message"),
      "openai-responses": converted("a `function_call_output` item"),
      "anthropic-messages": converted("a `tool_result` block"),
    },
    executableCode: { example: { executableCode: { language: "PYTHON", code: "print(12)" } }, ...HOSTED },
    codeExecutionResult: { example: { codeExecutionResult: { outcome: "OUTCOME_OK", output: "12" } }, ...HOSTED },
    toolCall: {
      example: { toolCall: { id: "t1", toolType: "GOOGLE_SEARCH_WEB", args: { query: "time" } } },
      ...HOSTED,
    },
    toolResponse: {
      example: { toolResponse: { id: "t1", toolType: "GOOGLE_SEARCH_WEB", response: { text: "noon" } } },
      ...HOSTED,
    },
    audioTranscription: {
      example: { audioTranscription: { text: "It strikes twelve.", finished: true } },
      ...everywhere(converted("text")),
    },
    videoMetadata: {
      example: {
        inlineData: { mimeType: "video/mp4", data: "AAAA" },
        videoMetadata: { startOffset: "1s", endOffset: "9s" },
      },
      without: without({ inlineData: { mimeType: "video/mp4", data: "AAAA" } }),
      "openai-chat": leftOut("it is advice on how Gemini reads the video; the file is sent"),
      "openai-responses": leftOut("it is advice on how Gemini reads the video; the file is sent"),
      "anthropic-messages": refused("Claude takes no video; the error names its type"),
    },
    mediaResolution: {
      example: { inlineData: PNG, mediaResolution: { level: "MEDIA_RESOLUTION_LOW" } },
      without: without({ inlineData: PNG }),
      ...everywhere(leftOut("it is advice on how Gemini reads the medium; the medium is sent")),
    },
    mediaProcessing: {
      example: { inlineData: PNG, mediaProcessing: "STATIC" },
      without: without({ inlineData: PNG }),
      ...everywhere(leftOut("it is advice on how Gemini reads the medium; the medium is sent")),
    },
    partMetadata: {
      example: { text: "Look.", partMetadata: { source: "a" } },
      without: without({ text: "Look." }),
      ...everywhere(leftOut("it is for the caller's own use")),
    },
    speechMetadata: {
      example: { text: "Look.", speechMetadata: { speaker: "A" } },
      without: without({ text: "Look." }),
      ...everywhere(leftOut("it is for models with audio output")),
    },
  },
};

const getResultBody = (fields: Json): Json =>
  getBody([NOON, { functionCall: CALL }], [{ functionResponse: { ...RESULT, ...fields } }, QUESTION]);

/** Two calls, and the result of one. */
const getResponseBody = (fields: Json): Json =>
  getBody(
    [{ functionCall: { id: "a", ...CALL } }, { functionCall: { id: "b", ...CALL } }],
    [{ functionResponse: { ...RESULT, ...fields } }],
  );

/** What a function of the caller's returned. */
export const FUNCTION_RESPONSE: CoverageTable = {
  title: "Gemini: function responses",
  dialect: "gemini",
  union: { declarations: "gemini", type: "FunctionResponse", members: "fields" },
  trial: {
    kind: "request",
    without: getResultBody({}),
    place: (fields: Json) => (fields["id"] === undefined ? getResultBody(fields) : getResponseBody(fields)),
  },
  rows: {
    id: {
      example: { id: "b" },
      without: getResponseBody({}),
      "openai-chat": converted("`tool_call_id`"),
      "openai-responses": converted("`call_id`"),
      "anthropic-messages": converted("`tool_use_id`"),
    },
    name: {
      example: { name: "clock" },
      without: getBody([NOON, { functionCall: CALL }], [QUESTION]),
      ...everywhere(converted("the result of the oldest open call with this name")),
    },
    response: {
      example: { response: { error: "no clock" } },
      "openai-chat": converted("text; OpenAI has no field for a failed tool; the text reports it"),
      "openai-responses": converted("text; OpenAI has no field for a failed tool; the text reports it"),
      "anthropic-messages": converted("text; an `error` sets `is_error`"),
    },
    parts: {
      example: { parts: [{ inlineData: PNG }] },
      "openai-chat": converted("parts of a user message after the result"),
      "openai-responses": converted("parts of the output"),
      "anthropic-messages": converted("blocks of the result"),
    },
    scheduling: {
      example: { scheduling: "SILENT" },
      ...everywhere(leftOut("it belongs to functions that run while a live session goes on")),
    },
    willContinue: {
      example: { willContinue: false },
      ...everywhere(leftOut("it belongs to functions that run while a live session goes on")),
    },
  },
};

/** The media that a function returned with its text. */
export const FUNCTION_RESPONSE_PARTS: CoverageTable = {
  title: "Gemini: parts of function responses",
  dialect: "gemini",
  union: { declarations: "gemini", type: "FunctionResponsePart", members: "fields" },
  trial: { kind: "request", without: getResultBody({}), place: (part: Json) => getResultBody({ parts: [part] }) },
  rows: {
    inlineData: {
      example: { inlineData: PNG },
      "openai-chat": converted("a part of a user message after the result"),
      "openai-responses": converted("a part of the output"),
      "anthropic-messages": converted("a block of the result"),
    },
    fileData: {
      example: { fileData: { mimeType: "image/png", fileUri: "https://a.example/clock.png" } },
      "openai-chat": converted("an `image_url` part of a user message after the result"),
      "openai-responses": converted("an `input_image` part of the output"),
      "anthropic-messages": converted("an image block of the result"),
    },
    mediaProcessing: {
      example: { inlineData: PNG, mediaProcessing: "STATIC" },
      without: getResultBody({ parts: [{ inlineData: PNG }] }),
      ...everywhere(leftOut("it is advice on how Gemini reads the medium; the medium is sent")),
    },
  },
};

const getFileBody = (fileData: Json): Json => ({ contents: [{ role: "user", parts: [{ fileData }, QUESTION] }] });
const IMAGE_URL = "https://a.example/clock.png";

/** A file by its address. */
export const FILE_DATA: CoverageTable = {
  title: "Gemini: file data",
  dialect: "gemini",
  union: { declarations: "gemini", type: "FileData", members: "fields" },
  trial: { kind: "request", without: BODY, place: getFileBody },
  rows: {
    fileUri: {
      example: { fileUri: IMAGE_URL },
      "openai-chat": converted("an `image_url` part"),
      "openai-responses": converted("an `input_image` part"),
      "anthropic-messages": converted("an image block"),
    },
    mimeType: {
      example: { fileUri: "https://a.example/clock.mp4", mimeType: "video/mp4" },
      ...everywhere(refused("only images and PDF documents go by URL; the model would respond without the rest")),
    },
    displayName: {
      example: { fileUri: IMAGE_URL, mimeType: "image/png", displayName: "clock.png" },
      without: getFileBody({ fileUri: IMAGE_URL, mimeType: "image/png" }),
      ...everywhere(leftOut("images by URL have no name elsewhere")),
    },
  },
};
