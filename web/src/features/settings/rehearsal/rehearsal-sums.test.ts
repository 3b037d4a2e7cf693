import type { RehearsalStep } from "@turnpike/contract/api/prices/rehearsal";
import { expect, it } from "vitest";
import { addStep, getMargin, NO_SUMS, sumUp } from "./rehearsal-sums.ts";

const costs = { costed_calls: 1, cost: 4, costed_current_quota: 10, costed_proposed_quota: 15 };
const sum = { calls: 1, quota: 10, current_quota: 10, proposed_quota: 15, ...costs };
const step: RehearsalStep = {
  revision: 1,
  rows: 3,
  models: [{ model: "a", group: "vip", ...sum }],
  users: [
    { user_id: 1, username: "ada", ...sum },
    { user_id: 2, username: "bob", ...sum, proposed_quota: 4 },
  ],
  skipped: [{ model: "b", reason: "no_price", calls: 1, quota: 5 }],
  next: null,
};

it("adds the sums of steps by model and group, by user and by reason", () => {
  const other = { ...step, models: [...step.models, { model: "a", group: "default", ...sum }] };
  const sums = addStep(addStep(NO_SUMS, step), other);
  expect(sums.rows).toBe(6);
  expect([...sums.models.values()]).toEqual([
    {
      model: "a",
      group: "vip",
      calls: 2,
      quota: 20,
      current_quota: 20,
      proposed_quota: 30,
      costed_calls: 2,
      cost: 8,
      costed_current_quota: 20,
      costed_proposed_quota: 30,
    },
    { model: "a", group: "default", ...sum },
  ]);
  expect([...sums.skipped.values()]).toEqual([{ model: "b", reason: "no_price", calls: 2, quota: 10 }]);
  expect(NO_SUMS.models.size).toBe(0);
});

it("knows a margin only of calls whose cost is known", () => {
  expect(getMargin(sum)).toBe(11);
  expect(getMargin({ ...sum, costed_calls: 0, cost: 0, costed_proposed_quota: 0 })).toBeUndefined();
});

it("counts who pays more and who pays less", () => {
  expect(sumUp([...addStep(NO_SUMS, step).users.values()])).toEqual({
    calls: 2,
    quota: 20,
    current: 20,
    proposed: 19,
    costedCalls: 2,
    margin: { current: 12, proposed: 22 },
    more: { count: 1, quota: 5 },
    less: { count: 1, quota: -6 },
  });
});
