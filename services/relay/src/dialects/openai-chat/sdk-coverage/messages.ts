import { type CoverageTable, converted, everywhere, refused } from "../../sdk-coverage/coverage-table.ts";

const USER = { role: "user", content: "Hi" };
const TOOLS = [{ type: "function", function: { name: "search", parameters: { type: "object", properties: {} } } }];
const SQL = { type: "custom", custom: { name: "sql" } };
const CALL = { id: "call_1", type: "function", function: { name: "search", arguments: '{"id":1234567890123456789}' } };
const ASSISTANT = { role: "assistant", content: null, tool_calls: [CALL] };

const getBody = (...messages: readonly object[]) => ({ model: "m", messages });

const INSTRUCTION = {
  "openai-responses": converted("`instructions`"),
  "anthropic-messages": converted("the system prompt"),
  gemini: converted("`systemInstruction`"),
};

/** The messages of a conversation. */
export const MESSAGES: CoverageTable = {
  title: "Chat: messages",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletionMessageParam", members: "variants", by: "role" },
  trial: {
    kind: "request",
    without: getBody(USER),
    place: (messages: readonly object[]) => ({ ...getBody(...messages), tools: TOOLS }),
  },
  rows: {
    system: {
      example: [{ role: "system", content: "Be brief." }, USER],
      without: { ...getBody(USER), tools: TOOLS },
      ...INSTRUCTION,
    },
    developer: {
      example: [{ role: "developer", content: "Be brief." }, USER],
      without: { ...getBody(USER), tools: TOOLS },
      ...INSTRUCTION,
    },
    user: {
      example: [USER, { role: "assistant", content: "Hello" }, { role: "user", content: "Go on", name: "ann" }],
      without: { ...getBody(USER, { role: "assistant", content: "Hello" }), tools: TOOLS },
      "openai-responses": converted("a message of the user"),
      "anthropic-messages": converted("a message of the user"),
      gemini: converted("content of the user"),
    },
    assistant: {
      example: [USER, { role: "assistant", content: "Hello" }],
      without: { ...getBody(USER), tools: TOOLS },
      "openai-responses": converted("a message of the assistant"),
      "anthropic-messages": converted("a message of the assistant"),
      gemini: converted("content of the model"),
    },
    tool: {
      example: [USER, ASSISTANT, { role: "tool", tool_call_id: "call_1", content: "sunny" }],
      without: { ...getBody(USER, ASSISTANT), tools: TOOLS },
      ...everywhere(converted("the result of the call")),
    },
    function: {
      example: [
        USER,
        { role: "assistant", content: null, function_call: { name: "search", arguments: "{}" } },
        { role: "function", name: "search", content: "sunny" },
      ],
      without: {
        ...getBody(USER, { role: "assistant", content: null, function_call: { name: "search", arguments: "{}" } }),
        tools: TOOLS,
      },
      ...everywhere(converted("the result of the latest call of that name")),
    },
  },
};

/** The parts of a user's message. */
export const CONTENT_PARTS: CoverageTable = {
  title: "Chat: content parts",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletionContentPart", members: "variants" },
  trial: {
    kind: "request",
    without: getBody({ role: "user", content: [{ type: "text", text: "Hi" }] }),
    place: (part: object) => getBody({ role: "user", content: [{ type: "text", text: "Hi" }, part] }),
  },
  rows: {
    text: {
      example: { type: "text", text: "Weather here?" },
      "openai-responses": converted("`input_text`"),
      "anthropic-messages": converted("a text block"),
      gemini: converted("a text part"),
    },
    image_url: {
      example: { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=", detail: "low" } },
      "openai-responses": converted("`input_image`"),
      "anthropic-messages": converted("an image block"),
      gemini: converted("`inlineData`"),
    },
    input_audio: {
      example: { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
      "openai-responses": refused("400: models of this API hear nothing"),
      "anthropic-messages": refused("400: Claude hears nothing"),
      gemini: converted("`inlineData`"),
    },
    file: {
      example: { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
      "openai-responses": converted("`input_file`"),
      "anthropic-messages": converted("a document block"),
      gemini: converted("`inlineData`"),
    },
  },
};

/** The parts of an assistant's message. */
export const ASSISTANT_PARTS: CoverageTable = {
  title: "Chat: content parts of the assistant",
  dialect: "openai-chat",
  union: {
    declarations: "openai-chat",
    type: "ChatCompletionAssistantMessageParam",
    path: ["content"],
    members: "variants",
  },
  trial: {
    kind: "request",
    without: getBody(USER, { role: "assistant", content: [{ type: "text", text: "Hello" }] }),
    place: (part: object) => getBody(USER, { role: "assistant", content: [{ type: "text", text: "Hello" }, part] }),
  },
  rows: {
    text: { example: { type: "text", text: "there" }, ...everywhere(converted("text of the assistant")) },
    refusal: {
      example: { type: "refusal", refusal: "I cannot help with that." },
      ...everywhere(converted("text of the assistant")),
    },
  },
};

/** The calls in an assistant's message. */
export const MESSAGE_CALLS: CoverageTable = {
  title: "Chat: tool calls of messages",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletionMessageToolCall", members: "variants" },
  trial: {
    kind: "request",
    without: { ...getBody(USER, { role: "assistant", content: "Wait." }), tools: [...TOOLS, SQL] },
    place: (call: object) => ({
      ...getBody(USER, { role: "assistant", content: "Wait.", tool_calls: [call] }),
      tools: [...TOOLS, SQL],
    }),
  },
  rows: {
    function: { example: CALL, ...everywhere(converted("a call")) },
    custom: {
      example: { id: "call_1", type: "custom", custom: { name: "sql", input: "SELECT 1" } },
      ...everywhere(converted("a call of a function with the one argument `input`")),
      "openai-responses": converted("a call of the custom tool"),
    },
  },
};
