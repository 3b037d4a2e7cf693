import { expect, it } from "vitest";
import { findRouteProblem, toCauses, toRouteJson, toRouteLines } from "./model-route-lines.ts";

it("writes stored routes as lines, and lines as the same routes", () => {
  const aliases = '{"fast":"gpt-5-mini"}';
  const fallbacks = '{"gpt-5":["claude-sonnet-4-5","gemini-2.5-pro"]}';
  expect(toRouteLines(aliases)).toBe("fast = gpt-5-mini");
  expect(toRouteLines(fallbacks)).toBe("gpt-5 = claude-sonnet-4-5, gemini-2.5-pro");
  expect(toRouteJson("ModelAliases", toRouteLines(aliases))).toBe(aliases);
  expect(toRouteJson("ModelFallbacks", toRouteLines(fallbacks))).toBe(fallbacks);
  expect([toRouteLines(""), toRouteJson("ModelAliases", " \n")]).toEqual(["", ""]);
});

it("refuses lines without a model, and cycles", () => {
  expect(findRouteProblem("ModelAliases", "fast")).toBe("每行写一个名称、等号和模型");
  expect(findRouteProblem("ModelAliases", "fast =")).toMatch(/不能为空/);
  expect(findRouteProblem("ModelFallbacks", "a = b\nb = a")).toMatch(/循环/);
  expect(findRouteProblem("ModelFallbacks", "a = b, c\n\nb = c")).toBeUndefined();
});

it("reads known causes", () => {
  expect(toCauses('["budget","other","timeout"]')).toEqual(["timeout", "budget"]);
  expect(toCauses("")).toEqual([]);
});
