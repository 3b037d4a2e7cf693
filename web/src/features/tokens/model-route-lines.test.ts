import { expect, it } from "vitest";
import { findRouteProblems, toCauses, toRouteJson, toRouteLines } from "./model-route-lines.ts";

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
  const find = (modelAliases: string, modelFallbacks: string) =>
    Object.fromEntries(findRouteProblems({ modelAliases, modelFallbacks }));
  expect(find("fast", "")).toEqual({ modelAliases: "每行写一个名称、等号和模型" });
  expect(find("fast =", "a = b\nb = a")).toEqual({
    modelAliases: expect.stringContaining("不能为空"),
    modelFallbacks: expect.stringContaining("循环"),
  });
  expect(find("fast = a", "a = b\nb = fast")).toEqual({ modelFallbacks: expect.stringContaining("循环") });
  expect(find("fast = a", "a = b, c\n\nb = c\nfast = d")).toEqual({});
  expect(find("", "")).toEqual({});
});

it("reads known causes", () => {
  expect(toCauses('["budget","other","timeout"]')).toEqual(["timeout", "budget"]);
  expect(toCauses("")).toEqual([]);
});
