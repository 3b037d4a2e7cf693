import { expect, it } from "vitest";
import { CallBudget } from "./call-budget.ts";

it("lets a comparison follow an apply of many requests at once", () => {
  const budget = new CallBudget(0);
  budget.take(60, 2_000);
  expect(budget.getWaitMs(10)).toBe(0);
});

it("makes no more than 480 requests in three minutes, whatever a round needs", () => {
  for (const round of [8, 50, 300]) {
    const budget = new CallBudget(0);
    let nowMs = 0;
    let made = 0;
    while (nowMs <= 180_000) {
      budget.take(round, nowMs);
      made += round;
      nowMs += budget.getWaitMs(round) + 1;
    }
    // The last round may have begun just before the end.
    expect(made, `rounds of ${round}`).toBeLessThanOrEqual(480 + round);
  }
});
