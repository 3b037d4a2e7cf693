import { expect, it } from "vitest";
import { amountProblem, presetAmounts, wholeAmount } from "./top-up-amount.ts";

it("offers no amount below the least", () => {
  expect(presetAmounts(25, 1)).toEqual([50, 100, 200, 500]);
  expect(presetAmounts(1, 500_000)[0]).toBe(5_000_000);
});

it("takes what is typed as a whole amount of at least 1", () => {
  expect(wholeAmount(0.4)).toBe(1);
  expect(wholeAmount(-3)).toBe(1);
  expect(wholeAmount(12.9)).toBe(12);
  expect(wholeAmount(Number.NaN)).toBeNaN();
});

it("says what is wrong with an amount", () => {
  expect(amountProblem(Number.NaN, 1)).toBe("请输入充值数量");
  expect(amountProblem(4, 5)).toBe("充值数量不能小于 {{min}}");
  expect(amountProblem(5, 5)).toBeUndefined();
});
