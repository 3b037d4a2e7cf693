import { ENGLISH_NOTES } from "@turnpike/contract/texts/english-notes";
import i18next from "i18next";
import { beforeAll, expect, it } from "vitest";
import english from "../../locales/en/console.json" with { type: "json" };
import { translateContent } from "./log-content.ts";

beforeAll(async () => {
  await i18next.init({
    lng: "en",
    keySeparator: false,
    nsSeparator: false,
    resources: { en: { translation: english } },
    interpolation: { escapeValue: false },
  });
});

it("translates the services' notes with their amounts and ids", () => {
  expect(translateContent("通过兑换码充值 ＄10.000000 额度，兑换码ID 12", i18next.t)).toBe("Redeemed $10 with code 12");
  expect(translateContent("系统初始化赠送 100000000 点额度", i18next.t)).toBe("First-run gift: 100,000,000");
  expect(translateContent("管理员将用户额度从 ＄0.500000 额度修改为 ＄2.000000 额度", i18next.t)).toBe(
    "An administrator changed the balance from $0.5 to $2",
  );
});

it("translates ledger notes with and without an amount", () => {
  expect(translateContent("用户签到，获得", i18next.t)).toBe("Check-in reward");
  expect(translateContent("邀请的用户 ada 充值返利 ＄0.500000 额度", i18next.t)).toBe(
    "Rebate on a top-up of ada: $0.5",
  );
  expect(translateContent("订单 USR1NOx 退款，收回返利", i18next.t)).toBe("Rebate revoked, order USR1NOx refunded");
  expect(
    translateContent("使用在线充值成功，充值金额: ＄10.000000 额度，支付金额：73.00，订单号 USR1NOx", i18next.t),
  ).toBe("Topped up $10 online, paid 73.00, order USR1NOx");
});

it("returns other notes unchanged", () => {
  expect(translateContent("upstream answered 503", i18next.t)).toBe("upstream answered 503");
});

it("has the same English notes as exported files", () => {
  const locale: Readonly<Record<string, string>> = english;
  for (const [sentence, translation] of Object.entries(ENGLISH_NOTES))
    expect([sentence, locale[sentence]]).toEqual([sentence, translation]);
});
