import { describe } from "vitest";
import { useSdkWorld } from "../lib/sdk-world.ts";
import { anthropicSdk } from "./sdks/anthropic.ts";
import { frameworks } from "./sdks/frameworks.ts";
import { googleSdk } from "./sdks/google.ts";
import { openaiChat } from "./sdks/openai-chat.ts";
import { openaiEndpoints } from "./sdks/openai-endpoints.ts";
import { responsesModels } from "./sdks/responses-models.ts";
import { responsesTurns } from "./sdks/responses-turns.ts";

// One system for all of them: starting it takes longer than what any of them asks of it.
const place = useSdkWorld();

describe("OpenAI's SDK, chat", () => {
  openaiChat(place);
});
describe("OpenAI's SDK, other endpoints", () => {
  openaiEndpoints(place);
});
describe("Anthropic's SDK", () => {
  anthropicSdk(place);
});
describe("Google's SDK", () => {
  googleSdk(place);
});
describe("frameworks", () => {
  frameworks(place);
});
describe("conversations by responses", () => {
  responsesTurns(place);
});
describe("models served only by the Responses API", () => {
  responsesModels(place);
});
