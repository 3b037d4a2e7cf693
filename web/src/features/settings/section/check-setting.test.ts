import { expect, it } from "vitest";
import { findFallbackProblem, findJsonSettingProblem, findSettingProblem } from "./check-setting.ts";

it("names the line of an invalid ratio", () => {
  const source = '{\n  "gpt-4o": 1.25,\n  "o1": "7.5"\n}';
  expect(findJsonSettingProblem("ModelRatio", source)).toMatchObject({ line: 3, message: "o1 必须是不小于 0 的数字" });
  expect(findJsonSettingProblem("ModelRatio", '{"a": 1}')).toBeUndefined();
  expect(findJsonSettingProblem("UserUsableGroups", '{"vip": 1}')?.message).toBe("vip 必须是文本");
});

it("keeps numbers within their limits", () => {
  expect(findSettingProblem("RetryTimes", "11")).toEqual({ message: "不能大于 10" });
  expect(findSettingProblem("RetryTimes", "1.5")?.message).toBe("必须是整数");
  expect(findSettingProblem("RetryTimes", "3")).toBeUndefined();
  expect(findSettingProblem("fallback_input_ratio", "")).toBeUndefined();
});

it("accepts a fallback price as one price or both ratios", () => {
  expect(findFallbackProblem({ single: "0.1", input: "", completion: "" })).toBeUndefined();
  expect(findFallbackProblem({ single: "", input: "1", completion: "2" })).toBeUndefined();
  expect(findFallbackProblem({ single: "0.1", input: "1", completion: "2" })).toBeDefined();
  expect(findFallbackProblem({ single: "", input: "1", completion: "" })).toBeDefined();
});
