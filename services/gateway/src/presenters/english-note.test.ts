import { expect, it } from "vitest";
import { translateNote } from "./english-note.ts";

it.each([
  ["通过兑换码充值 ＄10.000000 额度，兑换码ID 12", "Redeemed $10 with code 12"],
  [
    "管理员确认在线充值，充值金额: ＄10.958904 额度，支付金额：80.00，订单号 USR1NOa1700000000",
    "An administrator credited $10.958904, paid 80.00, order USR1NOa1700000000",
  ],
  ["系统初始化赠送 100000000 点额度", "First-run gift: 100000000"],
  ["系统初始化赠送", "First-run gift"],
  ["管理员将用户额度从 ＄0.500000 额度修改为 ＄2.000000 额度", "An administrator changed the balance from $0.5 to $2"],
  ["从 new-api 迁移", "Migrated from new-api"],
  ["upstream answered 503", "upstream answered 503"],
])("reads %s", (note, english) => {
  expect(translateNote(note)).toBe(english);
});
