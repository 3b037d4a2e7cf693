import { describe, expect, it } from "vitest";
import { checkModelRoutes, checkOptionValue } from "./option-validation.ts";
import { findCycle, listFallbacks, type ModelFallbacks, resolveAlias } from "./model-routes.ts";

describe("model routes", () => {
  it("follows aliases of aliases to the model", () => {
    expect(resolveAlias({ fast: "small", small: "gpt-5-mini" }, "fast")).toBe("gpt-5-mini");
    expect(resolveAlias({ fast: "small" }, "toString")).toBe("toString");
  });

  it("lists the fallbacks of fallbacks, each model once and at most eight", () => {
    const list = (fallbacks: ModelFallbacks) => listFallbacks({ aliases: {}, fallbacks }, "a");
    expect(list({ a: ["b", "c"], b: ["d"], c: ["d"] })).toEqual(["b", "d", "c"]);
    expect(list({ a: Array.from({ length: 20 }, (_, index) => `m${index}`) })).toHaveLength(8);
  });

  it("follows aliases among fallbacks, and lists the fallbacks of an alias after those of its model", () => {
    const aliases = { fast: "faster", faster: "small", spare: "large" };
    const fallbacks = { fast: ["medium"], small: ["spare"], large: ["huge"] };
    expect(listFallbacks({ aliases, fallbacks }, "fast")).toEqual(["large", "huge", "medium"]);
    expect(listFallbacks({ aliases, fallbacks }, "small")).toEqual(["large", "huge"]);
    expect(listFallbacks({ aliases: { a: "b", b: "a" }, fallbacks: {} }, "a")).toEqual([]);
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
    expect(listFallbacks({ aliases: {}, fallbacks: chain }, "m0")).toHaveLength(8);
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

  it.each([
    ['{"fast":"big"}', '{"big":["fast"]}', "big → fast → big"],
    ['{"fast":"big"}', '{"big":["small"],"small":["fast"]}', "big → small → fast → big"],
    ['{"a":"b","c":"d"}', '{"b":["c"],"d":["a"]}', "b → c → d → a → b"],
  ])("refuses aliases %s with fallbacks %s", (aliases, fallbacks, cycle) => {
    const names = cycle.split(" → ").slice(1).toSorted();
    const problem = checkModelRoutes({ aliases, fallbacks }) ?? "";
    expect(problem).toMatch(/ 形成循环$/);
    expect(problem.replace(" 形成循环", "").split(" → ").slice(1).toSorted()).toEqual(names);
    expect(checkModelRoutes({ aliases, fallbacks: "" }, { aliases: "", fallbacks })).toBe(problem);
  });

  it("accepts the model of an alias among the alias's other fallbacks, and what a later text replaces", () => {
    expect(checkModelRoutes({ aliases: '{"fast":"a"}', fallbacks: '{"fast":["b"],"b":["a"]}' })).toBeUndefined();
    const ofSite = { aliases: '{"fast":"big"}', fallbacks: '{"big":["small"]}' };
    expect(checkModelRoutes(ofSite, { aliases: '{"fast":"other"}', fallbacks: '{"small":["fast"]}' })).toBeUndefined();
    expect(checkModelRoutes(ofSite, { aliases: "", fallbacks: '{"small":["fast"]}' })).toContain("形成循环");
  });

  it("accepts what has no cycle", () => {
    expect(checkOptionValue("ModelAliases", '{"fast":"gpt-5-mini"}')).toBeUndefined();
    expect(checkOptionValue("ModelFallbacks", '{"a":["b","c"],"b":["c"]}')).toBeUndefined();
    expect(checkOptionValue("FallbackCauses", '["budget"]')).toBeUndefined();
  });
});
