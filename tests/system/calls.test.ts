import { describe } from "vitest";
import { useShop } from "../lib/shop-world.ts";
import { googleClientCalls } from "./calls/google-client.ts";
import { mainJob } from "./calls/main-job.ts";
import { playground } from "./calls/playground.ts";
import { streams } from "./calls/streams.ts";

// One system for all of them: starting it takes longer than the tests.
const at = useShop();

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
