import { expect, it } from "vitest";
import { byDay, sumUsage } from "./token-usage.ts";

const use = (day: string, model_name: string, quota: number) => ({
  day,
  model_name,
  quota,
  request_count: 1,
  prompt_tokens: 10,
  completion_tokens: 2,
});
const USES = [use("2026-05-01", "a", 1), use("2026-05-02", "a", 5), use("2026-05-02", "b", 9)];

it("shows the newest day first, and its dearest model first", () => {
  expect(byDay(USES).map(({ day, uses }) => [day, uses.map(({ model_name: model }) => model)])).toEqual([
    ["2026-05-02", ["b", "a"]],
    ["2026-05-01", ["a"]],
  ]);
});

it("adds up requests and tokens", () => {
  expect(sumUsage(USES)).toEqual({ requests: 3, promptTokens: 30, completionTokens: 6 });
});
