import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../core/chat/chat.ts";
import { findProvider } from "../providers/registry/providers.ts";
import { targetFor } from "../providers/shared/fixtures.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "./gemini-generate/gemini-generate.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const PATH = { model: "m", stream: false };
const MESSAGES = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };
const fromChat = (fields: object) => openAiChat.parseRequest({ ...MESSAGES, ...fields });
const fromResponses = (fields: object) => openAiResponses.parseRequest({ model: "m", input: "hi", ...fields }, PATH);
const fromClaude = (fields: object) => anthropicMessages.parseRequest({ ...MESSAGES, ...fields });
const fromGemini = (fields: object) =>
  geminiGenerate.parseRequest({ contents: [{ role: "user", parts: [{ text: "hi" }] }], ...fields }, PATH);

type Channel = { readonly channelType: number; readonly model: string; readonly baseUrl?: string };
const OPENAI: Channel = { channelType: 1, model: "gpt-5" };
const GEMINI: Channel = { channelType: 24, model: "gemini-2.5-flash" };

const write = (request: ChatRequest, channel: Channel) => {
  const { service_tier: openAi, serviceTier: google } =
    findProvider(channel.channelType)?.buildRequest(request, targetFor(channel)).json ?? {};
  return openAi ?? google;
};

describe("requested service tier", () => {
  it.each([
    ["Google's", fromGemini({ serviceTier: "FLEX" }), OPENAI, "flex"],
    ["Google's by its proto name", fromGemini({ service_tier: "priority" }), OPENAI, "priority"],
    ["Google's standard one", fromGemini({ serviceTier: "standard" }), OPENAI, "default"],
    ["Anthropic's standard one", fromClaude({ service_tier: "standard_only" }), OPENAI, "default"],
    ["Anthropic's fast mode", fromClaude({ speed: "fast" }), GEMINI, "priority"],
    ["OpenAI's", fromChat({ service_tier: "flex" }), GEMINI, "flex"],
  ])("is requested from another provider by its own name: %s", (_, request, channel, expected) => {
    expect(write(request, channel)).toBe(expected);
  });

  it.each([
    ["the provider's own choice", fromClaude({ service_tier: "auto" }), OPENAI],
    ["a tier of one provider alone", fromChat({ service_tier: "scale" }), GEMINI],
    ["a service with OpenAI's format", fromGemini({ serviceTier: "flex" }), { ...OPENAI, baseUrl: "https://host" }],
    ["a service with Google's format", fromChat({ service_tier: "flex" }), { ...GEMINI, baseUrl: "https://host" }],
    ["the standard tier of Google", fromResponses({ service_tier: "default" }), GEMINI],
    ["Claude", fromGemini({ serviceTier: "flex" }), { channelType: 14, model: "claude-sonnet-4-5" }],
  ])("is left out for %s", (_, request, channel) => {
    expect(write(request, channel)).toBeUndefined();
  });
});
