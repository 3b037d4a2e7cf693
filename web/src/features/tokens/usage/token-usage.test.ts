import { expect, it } from "vitest";
import { sortByDay, sumUsage } from "./token-usage.ts";

const use = (day: string, model_name: string, quota: number) => ({
  day,
  model_name,
  quota,
  request_count: 1,
  prompt_tokens: 10,
  completion_tokens: 2,
});
const USES = [use("2026-05-01", "a", 1), use("2026-05-02", "a", 5), use("2026-05-02", "b", 9)];

it("lists the newest day first, and its most expensive model first", () => {
  expect(sortByDay(USES).map(({ day, model_name: model }) => [day, model])).toEqual([
    ["2026-05-02", "b"],
    ["2026-05-02", "a"],
    ["2026-05-01", "a"],
  ]);
});

it("adds up requests and tokens", () => {
  expect(sumUsage(USES)).toEqual({ requests: 3, promptTokens: 30, completionTokens: 6 });
});
