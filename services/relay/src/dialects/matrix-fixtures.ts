import type { Json } from "../core/chat/chat.ts";

const IMAGE = "iVBORw0KGgo=";
const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

/** The same conversation in each dialect. */
export const CONVERSATION: Readonly<Record<string, Json>> = {
  "openai-chat": {
    model: "asked",
    max_tokens: 4000,
    tools: [{ type: "function", function: { name: "get_weather", parameters: SCHEMA } }],
    tool_choice: "auto",
    stop: ["END"],
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "Weather here?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${IMAGE}` } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
          { id: "call_2", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "sun in Paris" },
      { role: "tool", tool_call_id: "call_2", content: "rain in Rome" },
    ],
  },
  "anthropic-messages": {
    model: "asked",
    max_tokens: 4000,
    system: "Be brief.",
    stop_sequences: ["END"],
    tools: [{ name: "get_weather", input_schema: SCHEMA }],
    tool_choice: { type: "auto" },
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Weather here?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: IMAGE } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Paris" } },
          { type: "tool_use", id: "call_2", name: "get_weather", input: { city: "Rome" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1", content: "sun in Paris" },
          { type: "tool_result", tool_use_id: "call_2", content: [{ type: "text", text: "rain in Rome" }] },
        ],
      },
    ],
  },
  gemini: {
    systemInstruction: { parts: [{ text: "Be brief." }] },
    generationConfig: { maxOutputTokens: 4000, stopSequences: ["END"] },
    tools: [
      {
        functionDeclarations: [
          {
            name: "get_weather",
            parameters: { type: "OBJECT", properties: { city: { type: "STRING" } }, required: ["city"] },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: "AUTO" } },
    contents: [
      { role: "user", parts: [{ text: "Weather here?" }, { inlineData: { mimeType: "image/png", data: IMAGE } }] },
      {
        role: "model",
        parts: [
          { functionCall: { id: "call_1", name: "get_weather", args: { city: "Paris" } } },
          { functionCall: { id: "call_2", name: "get_weather", args: { city: "Rome" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "call_1", name: "get_weather", response: { result: "sun in Paris" } } },
          { functionResponse: { id: "call_2", name: "get_weather", response: { result: "rain in Rome" } } },
        ],
      },
    ],
  },
};

/** What each provider must receive for that conversation, from any dialect. */
export const EXPECTED_BODY: Readonly<Record<string, Json>> = {
  openai: {
    max_tokens: 4000,
    stop: ["END"],
    tool_choice: "auto",
    tools: [{ type: "function", function: { name: "get_weather", parameters: SCHEMA } }],
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "Weather here?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${IMAGE}` } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
          { id: "call_2", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "sun in Paris" },
      { role: "tool", tool_call_id: "call_2", content: "rain in Rome" },
    ],
  },
  mistral: {
    max_tokens: 4000,
    stop: ["END"],
    tool_choice: "auto",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text" }, { image_url: `data:image/png;base64,${IMAGE}` }] },
      { role: "assistant", tool_calls: [{ id: "74196fe72" }, { id: "1b68f83fa" }] },
      { role: "tool", tool_call_id: "74196fe72", content: "sun in Paris" },
      { role: "tool", tool_call_id: "1b68f83fa", content: "rain in Rome" },
    ],
  },
  zhipu: {
    max_tokens: 4000,
    stop: ["END"],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text" }, { image_url: { url: IMAGE } }] },
      { role: "assistant", tool_calls: [{ id: "call_1" }, { id: "call_2" }] },
      { role: "tool", tool_call_id: "call_1", content: "sun in Paris" },
      { role: "tool", tool_call_id: "call_2", content: "rain in Rome" },
    ],
  },
  tencent: {
    Stop: ["END"],
    ToolChoice: "auto",
    Tools: [{ Type: "function", Function: { Name: "get_weather", Parameters: JSON.stringify(SCHEMA) } }],
    Messages: [
      { Role: "system", Content: "Be brief." },
      { Role: "user", Contents: [{ Type: "text" }, { ImageUrl: { Url: `data:image/png;base64,${IMAGE}` } }] },
      { Role: "assistant", ToolCalls: [{ Id: "call_1" }, { Id: "call_2" }] },
      { Role: "tool", ToolCallId: "call_1", Content: "sun in Paris" },
      { Role: "tool", ToolCallId: "call_2", Content: "rain in Rome" },
    ],
  },
  cohere: {
    max_tokens: 4000,
    stop_sequences: ["END"],
    tools: [{ type: "function", function: { name: "get_weather", parameters: SCHEMA } }],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text" }, { image_url: { url: `data:image/png;base64,${IMAGE}` } }] },
      { role: "assistant", tool_calls: [{ id: "call_1" }, { id: "call_2" }] },
      { role: "tool", tool_call_id: "call_1", content: "sun in Paris" },
      { role: "tool", tool_call_id: "call_2", content: "rain in Rome" },
    ],
  },
  anthropic: {
    max_tokens: 4000,
    stop_sequences: ["END"],
    system: "Be brief.",
    tool_choice: { type: "auto" },
    tools: [{ name: "get_weather", input_schema: SCHEMA }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Weather here?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: IMAGE } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Paris" } },
          { type: "tool_use", id: "call_2", name: "get_weather", input: { city: "Rome" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1", content: [{ type: "text", text: "sun in Paris" }] },
          { type: "tool_result", tool_use_id: "call_2", content: [{ type: "text", text: "rain in Rome" }] },
        ],
      },
    ],
  },
  gemini: {
    generationConfig: { maxOutputTokens: 4000, stopSequences: ["END"] },
    systemInstruction: { parts: [{ text: "Be brief." }] },
    toolConfig: { functionCallingConfig: { mode: "AUTO" } },
    tools: [{ functionDeclarations: [{ name: "get_weather", description: "", parameters: SCHEMA }] }],
    contents: [
      { role: "user", parts: [{ text: "Weather here?" }, { inlineData: { mimeType: "image/png", data: IMAGE } }] },
      {
        role: "model",
        parts: [
          { functionCall: { name: "get_weather", args: { city: "Paris" } } },
          { functionCall: { name: "get_weather", args: { city: "Rome" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "get_weather", response: { result: "sun in Paris" } } },
          { functionResponse: { name: "get_weather", response: { result: "rain in Rome" } } },
        ],
      },
    ],
  },
};
