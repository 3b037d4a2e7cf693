import { expect, it } from "vitest";
import { findInvalidAddress } from "./address-lines.ts";
import { toRequestBody, NEW_TOKEN, TokenForm, toUpdateBody } from "./token-form.ts";

const filled = { ...NEW_TOKEN, name: "mine" };
const problems = (values: object) =>
  (TokenForm.safeParse({ ...filled, ...values }).error?.issues ?? []).map(({ path, message }) => [path[0], message]);

it("accepts a new token once it has a name", () => {
  expect(problems({})).toEqual([]);
  expect(problems({ name: " " })).toEqual([["name", "请输入令牌名称"]]);
});

it("refuses invalid counts, quotas, periods and limits", () => {
  expect(problems({ count: 0 })).toEqual([["count", "必须是正整数"]]);
  expect(problems({ remainQuota: -1 })).toEqual([["remainQuota", "额度不能为负数"]]);
  expect(problems({ neverExpires: false })).toEqual([["expiresAtSeconds", "过期时间格式错误！"]]);
  expect(problems({ budgetPeriod: "day", periodQuota: 0 })).toEqual([["periodQuota", "每个周期的额度必须大于 0"]]);
  expect(problems({ concurrentCalls: 10_001 })).toEqual([["concurrentCalls", "最多 10000"]]);
  expect(problems({ allowIps: "10.0.0.1\nelsewhere" })).toEqual([["allowIps", "只能填写 IP 或 CIDR，每行一个"]]);
});

it("sends the quota of an edit as what was added to it", () => {
  const stored = { id: 7, remainQuota: 5_000, actionId: "save-1" };
  const untouched = toUpdateBody({ ...filled, remainQuota: 5_000 }, stored);
  expect(untouched).toMatchObject({ id: 7, quota_change: 0, action_id: "save-1:0" });
  expect(untouched).not.toHaveProperty("remain_quota");
  expect(toUpdateBody({ ...filled, remainQuota: 4_000 }, stored)).toMatchObject({ quota_change: -1_000 });
});

it("sends no budget period for a token without a budget", () => {
  const period = { budgetPeriod: "week", periodQuota: 7 } as const;
  expect(toRequestBody({ ...filled, ...period }, "mine")).toMatchObject({ budget_period: "week", period_quota: 7 });
  const unlimited = toRequestBody({ ...filled, ...period, unlimitedQuota: true }, "mine");
  expect(unlimited).toMatchObject({ budget_period: "", period_quota: 0 });
});

it.each([
  ["192.0.2.1", undefined],
  ["192.0.2.0/24\n\n 2001:db8::/32 \n::1\n::ffff:192.0.2.1", undefined],
  ["2001:db8:0:0:0:0:0:1", undefined],
  ["192.0.2.256", "192.0.2.256"],
  ["192.0.2.0/33", "192.0.2.0/33"],
  ["10.0.0.1\nexample.com", "example.com"],
  ["2001:db8::1::2", "2001:db8::1::2"],
  ["1:2:3:4:5:6:7", "1:2:3:4:5:6:7"],
  ["::/129", "::/129"],
])("reads %j as addresses", (lines, wrong) => {
  expect(findInvalidAddress(lines)).toBe(wrong);
});
