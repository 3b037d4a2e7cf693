import { describe } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";
import { googleClientCalls } from "./google-client.ts";
import { mainJob } from "./chat-calls.ts";
import { playground } from "./playground.ts";
import { streams } from "./streams.ts";

// One system for all of them: starting it takes longer than the tests.
const at = useTestSite();

describe("official clients", () => {
  mainJob(at);
});
describe("streams", () => {
  streams(at);
});
describe("Google's client", () => {
  googleClientCalls(at);
});
describe("playground", () => {
  playground(at);
});
