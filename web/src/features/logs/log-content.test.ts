import i18next from "i18next";
import { beforeAll, expect, it } from "vitest";
import english from "../../locales/en/logs.json" with { type: "json" };
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

it("reads the amounts and ids out of the services' sentences", () => {
  expect(translateContent("通过兑换码充值 ＄10.000000 额度，兑换码ID 12", i18next.t)).toBe("Redeemed $10 with code 12");
  expect(translateContent("系统初始化赠送 100000000 点额度", i18next.t)).toBe("First-run gift of 100,000,000");
  expect(translateContent("管理员将用户额度从 ＄0.500000 额度修改为 ＄2.000000 额度", i18next.t)).toBe(
    "An administrator changed the balance from $0.5 to $2",
  );
});

it("leaves other notes alone", () => {
  expect(translateContent("upstream answered 503", i18next.t)).toBe("upstream answered 503");
});
