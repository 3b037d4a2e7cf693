import { describe, expect, it } from "vitest";
import { checkOptionValue } from "./option-validation.ts";
import { findCycle, listFallbacks, resolveAlias } from "./model-routes.ts";

describe("model routes", () => {
  it("follows aliases of aliases to the model", () => {
    expect(resolveAlias({ fast: "small", small: "gpt-5-mini" }, "fast")).toBe("gpt-5-mini");
    expect(resolveAlias({ fast: "small" }, "toString")).toBe("toString");
  });

  it("lists the fallbacks of fallbacks, each model once and at most eight", () => {
    expect(listFallbacks({ a: ["b", "c"], b: ["d"], c: ["d"] }, "a")).toEqual(["b", "d", "c"]);
    const long = { a: Array.from({ length: 20 }, (_, index) => `m${index}`) };
    expect(listFallbacks(long, "a")).toHaveLength(8);
  });

  it("finds a cycle wherever it begins", () => {
    expect(findCycle({ x: ["a"], a: ["b"], b: ["a"] })).toEqual(["a", "b", "a"]);
    expect(findCycle({ a: ["b", "c"], b: ["c"] })).toBeUndefined();
  });

  it("searches chains of any length", () => {
    const chain: Record<string, string[]> = {};
    for (let index = 0; index < 30_000; index++) chain[`m${index}`] = [`m${index + 1}`];
    expect(findCycle(chain)).toBeUndefined();
    expect(findCycle({ ...chain, m30000: ["m29999"] })).toEqual(["m29999", "m30000", "m29999"]);
    expect(listFallbacks(chain, "m0")).toHaveLength(8);
  });
});

describe("options of model routes", () => {
  it.each([
    ["ModelAliases", '{"a":"b","b":"a"}', "a → b → a 形成循环"],
    ["ModelAliases", '{"a":"a"}', "a → a 形成循环"],
    ["ModelAliases", '{"a":""}', "a 必须是文本"],
    ["ModelFallbacks", '{"a":["b"],"b":["c"],"c":["a"]}', "a → b → c → a 形成循环"],
    ["ModelFallbacks", '{"a":"b"}', "a 必须是 1 到 8 个模型名称的列表"],
    ["ModelFallbacks", '{"a":[]}', "a 必须是 1 到 8 个模型名称的列表"],
    [
      "FallbackCauses",
      '["timeout","bad"]',
      "#2 必须是 unavailable, rate_limit, timeout, context_length, content_filter, budget 之一",
    ],
  ])("refuses %s of %s", (key, value, problem) => {
    expect(checkOptionValue(key, value)).toBe(problem);
  });

  it("accepts what has no cycle", () => {
    expect(checkOptionValue("ModelAliases", '{"fast":"gpt-5-mini"}')).toBeUndefined();
    expect(checkOptionValue("ModelFallbacks", '{"a":["b","c"],"b":["c"]}')).toBeUndefined();
    expect(checkOptionValue("FallbackCauses", '["budget"]')).toBeUndefined();
  });
});
