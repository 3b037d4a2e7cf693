import { describe } from "vitest";
import { useSdkWorld } from "../lib/sdk-world.ts";
import { anthropicSdk } from "./sdks/anthropic.ts";
import { frameworks } from "./sdks/frameworks.ts";
import { googleSdk } from "./sdks/google.ts";
import { openaiChat } from "./sdks/openai-chat.ts";
import { openaiEndpoints } from "./sdks/openai-endpoints.ts";
import { responsesModels } from "./sdks/responses-models.ts";
import { responsesTurns } from "./sdks/responses-turns.ts";

// One system for all of them: starting it takes longer than the tests.
const place = useSdkWorld();

describe("OpenAI SDK, chat", () => {
  openaiChat(place);
});
describe("OpenAI SDK, other endpoints", () => {
  openaiEndpoints(place);
});
describe("Anthropic SDK", () => {
  anthropicSdk(place);
});
describe("Google SDK", () => {
  googleSdk(place);
});
describe("frameworks", () => {
  frameworks(place);
});
describe("conversations with the Responses API", () => {
  responsesTurns(place);
});
describe("models served only by the Responses API", () => {
  responsesModels(place);
});
