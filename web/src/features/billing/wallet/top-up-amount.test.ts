import { expect, it } from "vitest";
import { integerAmount, presetAmounts, topUpForm } from "./top-up-amount.ts";

it("offers no amount below the minimum", () => {
  expect(presetAmounts(25, 1)).toEqual([50, 100, 200, 500]);
  expect(presetAmounts(1, 500_000)[0]).toBe(5_000_000);
});

it("accepts an integer of at least 1", () => {
  expect(integerAmount(0.4)).toBe(1);
  expect(integerAmount(-3)).toBe(1);
  expect(integerAmount(12.9)).toBe(12);
  expect(integerAmount(Number.NaN)).toBeNaN();
});

it("refuses an amount below the minimum of the chosen method, and an empty one", () => {
  const form = topUpForm((method) => (method === "card" ? 5 : 1));
  const getProblem = (amount: number, method: string) =>
    form.safeParse({ amount, method }).error?.issues.map(({ path, message }) => [path, message]);
  expect(getProblem(Number.NaN, "card")).toEqual([[["amount"], "请输入充值数量"]]);
  expect(getProblem(4, "card")).toEqual([[["amount"], "充值数量不能小于 {{min}}"]]);
  expect(getProblem(4, "wallet")).toBeUndefined();
  expect(getProblem(5, "card")).toBeUndefined();
});
