import { describe, expect, it } from "vitest";
import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import { getExpectedContent } from "./expected-content.ts";

const PRICE = {
  mode: "tokens",
  weights: { input: 1, cache_write: 1.25, audio_input: 0, audio_output: 0, output: 5 },
  toolPrices: {},
} as unknown as ModelPrice;
const call = (name: string, bodyText = "{}") =>
  ({ bodyText, dialect: { name }, form: undefined }) as unknown as RelayCall;

describe("expected content of a call", () => {
  it("has cache writes where breakpoints are added for callers of other formats", () => {
    const writes = { hasCacheWrites: true };
    for (const name of ["openai-chat", "openai-responses", "gemini"]) {
      expect(getExpectedContent(call(name), PRICE, true)).toEqual(writes);
      expect(getExpectedContent(call(name), PRICE, false)).toEqual({});
    }
    expect(getExpectedContent(call("anthropic-messages"), PRICE, true)).toEqual({});
    expect(getExpectedContent(call("anthropic-messages", '{"cache_control":{}}'), PRICE, true)).toEqual(writes);
  });
});
