import { describe, expect, it } from "vitest";
import { checkBodyKeys } from "./request-keys.ts";

const refusal = (param: string) => expect.objectContaining({ code: "invalid_request", param }) as Error;

describe("top-level keys of a request", () => {
  it.each([
    ['{"model":"a","model":"b"}', "model"],
    ['{"model":"a","Model":"b"}', "Model"],
    ['{"Model":"b","model":"a"}', "Model"],
    ['{"N":8,"model":"a"}', "N"],
    ['{"model":"a","me\\u017f\\u017fages":[]}', "meſſages"],
    ['{"model":"a","top_K":3}', "top_K"],
    ['{"mod\\u0065l":"a","model":"b"}', "model"],
    ['{"x":1,"y":{"x":2},"x":3}', "x"],
    ['{"x":1,"X":3}', "X"],
    ['{"servicetier":"priority"}', "servicetier"],
    ['{"service_tier":"default","ServiceTier":"priority"}', "ServiceTier"],
    ['{"service_tier":"default","serviceTier":"priority"}', "serviceTier"],
    ['{"generationConfig":{"maxOutputTokens":1},"generation_config":{"candidateCount":8}}', "generation_config"],
    ['{"SAFETY_SETTINGS":[]}', "SAFETY_SETTINGS"],
    ['{"a":"\\"}{","model":"a","s":"\\\\","model":"b"}', "model"],
    ['{"max_tokens":1,"MAX_TOKENS":100000}', "MAX_TOKENS"],
    ['{"fallbacks":[],"Fallbacks":[{"model":"b"}]}', "Fallbacks"],
  ])("refuses a key that is repeated or differs in case only: %s", (text, param) => {
    expect(() => checkBodyKeys(text)).toThrow(refusal(param));
  });

  it.each([
    "{}",
    '{"max_tokens":1,"maxTokens":2,"serviceTier":"flex"}',
    '{"model":"a","messages":[{"role":"user","role":"user","Model":1}],"n":1}',
    '{"model":"{\\"model\\":1,\\"model\\":2}","x-own":{"model":"b"}}',
    '{"__proto__":1,"constructor":2,"toString":3}',
    ' {\n "model" : "a" , "Own_Field" : [ "model", "model" ] }',
  ])("accepts all other keys: %s", (text) => {
    expect(() => checkBodyKeys(text)).not.toThrow();
  });

  it("names at most the beginning of a long key", () => {
    const long = "k".repeat(100_000);
    expect(() => checkBodyKeys(`{"${long}":1,"${long}":2}`)).toThrow(/^the field "k{64}" occurs twice$/);
  });
});
