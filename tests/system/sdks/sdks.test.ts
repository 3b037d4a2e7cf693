import { describe } from "vitest";
import { useSdkWorld } from "../../lib/sdk-world.ts";
import { anthropicSdk } from "./anthropic.ts";
import { frameworks } from "./frameworks.ts";
import { googleSdk } from "./google.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiEndpoints } from "./openai-endpoints.ts";
import { responsesModels } from "./responses-models.ts";
import { responsesTurns } from "./responses-turns.ts";

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
