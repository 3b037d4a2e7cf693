import { type CoverageTable, converted } from "../../sdk-coverage/coverage-table.ts";

const INSTRUCTION = {
  "openai-chat": converted("a message of the same role"),
  "anthropic-messages": converted("the system prompt"),
  gemini: converted("`systemInstruction`"),
};

/** The roles of input messages. */
export const MESSAGE_ROLES: CoverageTable = {
  title: "Responses: roles of input messages",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "EasyInputMessage", path: ["role"], members: "values" },
  trial: {
    kind: "request",
    without: { model: "m", input: [{ role: "user", content: "Hi" }] },
    place: (role: string) => ({
      model: "m",
      input:
        role === "user" || role === "assistant"
          ? [
              { role: "user", content: "Hi" },
              { role, content: "Hello" },
            ]
          : [
              { role, content: "Be brief." },
              { role: "user", content: "Hi" },
            ],
    }),
  },
  rows: {
    user: {
      example: "user",
      "openai-chat": converted("a message of the user"),
      "anthropic-messages": converted("a message of the user"),
      gemini: converted("content of the user"),
    },
    assistant: {
      example: "assistant",
      "openai-chat": converted("a message of the assistant"),
      "anthropic-messages": converted("a message of the assistant"),
      gemini: converted("content of the model"),
    },
    system: { example: "system", ...INSTRUCTION },
    developer: { example: "developer", ...INSTRUCTION },
  },
};
