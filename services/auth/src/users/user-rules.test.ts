import { describe, expect, it } from "vitest";
import { checkCreatedRole, parseAction, planManage, type ManageChange, type UserAction } from "./user-rules.ts";

const outcome = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const high = "user_level_too_high";
const ban = { status: 2 };
const lift = { status: 1 };
const deleted = { isDeleted: true } as const;

// [action, outcome for target roles 1, 10, 100]
type Row = readonly [UserAction, ManageChange | string, ManageChange | string, ManageChange | string];
const MATRIX: Record<number, readonly Row[]> = {
  1: (["promote", "demote", "disable", "enable", "delete"] as const).map((action) => [action, high, high, high]),
  10: [
    ["promote", "permission_denied", high, high],
    ["demote", "already_common", high, high],
    ["disable", ban, high, high],
    ["enable", lift, high, high],
    ["delete", deleted, high, high],
  ],
  100: [
    ["promote", { role: 10 }, "already_admin", "already_admin"],
    ["demote", "already_common", { role: 1 }, "root_protected"],
    ["disable", ban, ban, "root_protected"],
    ["enable", lift, lift, lift],
    ["delete", deleted, deleted, "root_protected"],
  ],
};

const cases = Object.entries(MATRIX).flatMap(([actor, rows]) =>
  rows.flatMap(([action, ...outcomes]) =>
    outcomes.map((expected, index) => ({ actor: Number(actor), action, target: [1, 10, 100][index] ?? 0, expected })),
  ),
);

describe("the role matrix", () => {
  it.each(cases)(
    "decides whether role $actor may $action role $target: $expected",
    ({ actor, action, target, expected }) => {
      expect(outcome(() => planManage(action, actor, { role: target, status: 1 }))).toEqual(expected);
    },
  );

  it.each([
    [1, 0, "user_create_level_too_high"],
    [10, 0, 1],
    [10, 1, 1],
    [10, 10, "user_create_level_too_high"],
    [10, 100, "user_create_level_too_high"],
    [100, 1, 1],
    [100, 10, 10],
    [100, 50, "invalid_input"],
    [100, -1, "invalid_input"],
    [100, 100, "user_create_level_too_high"],
  ])("lets role %i create a user of role %i with the result %s", (actor, requested, expected) => {
    expect(outcome(() => checkCreatedRole(actor, requested))).toBe(expected);
  });

  it("refuses an unknown action", () => {
    expect(outcome(() => parseAction("toString"))).toBe("user_action_unknown");
  });
});
