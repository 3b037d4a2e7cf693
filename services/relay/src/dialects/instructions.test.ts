import { describe, expect, it } from "vitest";
import { hoistInstructions } from "../core/chat/instructions.ts";
import { writeClaudeTurns } from "../providers/formats/anthropic/claude-messages.ts";
import { writeContents } from "../providers/formats/gemini/gemini-contents.ts";
import { findProvider } from "../providers/registry/providers.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const GEMINI = 24;
const VERTEX = 41;

const CONVERSATION = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hello" },
  { role: "assistant", content: "Hi" },
  { role: "developer", content: "The directory is now /tmp." },
  { role: "user", content: "Where am I?" },
];
const parsed = [
  ["chat", openAiChat.parseRequest({ model: "m", messages: CONVERSATION })],
  ["responses", openAiResponses.parseRequest({ model: "m", input: CONVERSATION }, { model: "m", stream: false })],
] as const;

describe("system message within the conversation", () => {
  it.each(parsed)(
    "stays in its place for Claude, so that its prompt cache serves what is before (%s)",
    (_, request) => {
      expect(request.system).toMatchObject([{ text: "Be brief." }]);
      expect(writeClaudeTurns(request.messages)).toEqual([
        { role: "user", content: [{ type: "text", text: "Hello" }] },
        { role: "assistant", content: [{ type: "text", text: "Hi" }] },
        {
          role: "user",
          content: [
            { type: "text", text: "<system>\nThe directory is now /tmp.\n</system>" },
            { type: "text", text: "Where am I?" },
          ],
        },
      ]);
    },
  );

  it.each(parsed)("stays in its place for Gemini, too (%s)", (_, request) => {
    for (const type of [GEMINI, VERTEX]) expect(findProvider(type)?.requests?.keepsInstructions).toBe(true);
    expect(writeContents(request.messages, true)).toEqual([
      { role: "user", parts: [{ text: "Hello" }] },
      { role: "model", parts: [{ text: "Hi" }] },
      {
        role: "user",
        parts: [{ text: "<system>\nThe directory is now /tmp.\n</system>" }, { text: "Where am I?" }],
      },
    ]);
  });

  it.each(parsed)("moves to the system prompt of providers without a place for it (%s)", (_, request) => {
    const { system, messages } = hoistInstructions(request);
    expect(system).toEqual([
      { type: "text", text: "Be brief." },
      { type: "text", text: "The directory is now /tmp." },
    ]);
    expect(JSON.stringify(messages)).not.toContain("directory");
    expect(hoistInstructions({ ...request, messages })).toMatchObject({ messages });
  });
});
