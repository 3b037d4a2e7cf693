import type { Json } from "../../../core/chat/chat.ts";

export const PIXEL = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
export const PDF = { type: "base64", media_type: "application/pdf", data: "JVBERi0=" };
const CLOCK = { name: "clock", input_schema: { type: "object", properties: {} } };
export const CALL = { type: "tool_use", id: "toolu_1", name: "clock", input: { zone: "UTC" } };
export const RESULT = { type: "tool_result", tool_use_id: "toolu_1", content: "12:00" };
export const NOON = { type: "text", text: "It is noon." };
export const QUESTION = { type: "text", text: "And now?" };

type Blocks = readonly Json[];

export const getBody = (responseBlocks: Blocks, sent: Blocks): Json => ({
  model: "m",
  max_tokens: 64,
  tools: [CLOCK],
  messages: [
    { role: "user", content: "What time is it?" },
    { role: "assistant", content: responseBlocks },
    { role: "user", content: sent },
  ],
});
