import {
  type Redemption,
  REDEMPTION_COUNT_MAX,
  REDEMPTION_NAME_LENGTH_MAX,
  type RedemptionCreateBody,
} from "@turnpike/contract/api/redemption";
import { z } from "zod/mini";
import { text } from "../../lib/text/i18n-source.ts";

const UNLIMITED = -1;
const whole = z.number(text("请输入数字")).check(z.refine(Number.isSafeInteger, text("必须是整数")));

/** The code editor's fields; amounts are quota units, times unix seconds, an undefined `maxUses` is unlimited. */
export const RedemptionCodeForm = z
  .object({
    name: z.string().check(z.trim(), z.maxLength(REDEMPTION_NAME_LENGTH_MAX, text("名称最多 20 个字符"))),
    quota: whole.check(z.gte(1, text("额度必须大于 0"))),
    count: whole.check(z.gte(1, text("必须是正整数")), z.lte(REDEMPTION_COUNT_MAX, text("一次最多创建 100 个"))),
    key: z.string().check(z.trim(), z.maxLength(32, text("兑换码最多 32 个字符"))),
    isGift: z.boolean(),
    maxUses: z.optional(whole.check(z.gte(1, text("必须是正整数")))),
    validFrom: z.optional(z.number()),
    validUntil: z.optional(z.number()),
  })
  .check(
    z.refine(({ validFrom, validUntil }) => !validFrom || !validUntil || validFrom < validUntil, {
      path: ["validUntil"],
      error: text("生效时间必须早于过期时间"),
    }),
  );
export type RedemptionCodeValues = z.infer<typeof RedemptionCodeForm>;

export const NEW_REDEMPTION_CODE: RedemptionCodeValues = {
  name: "",
  quota: 100_000,
  count: 1,
  key: "",
  isGift: false,
  maxUses: undefined,
  validFrom: undefined,
  validUntil: undefined,
};

/** A stored code in the form. */
export const toFormValues = (redemptionCode: Redemption): RedemptionCodeValues => ({
  name: redemptionCode.name,
  quota: redemptionCode.quota,
  count: 1,
  key: "",
  isGift: redemptionCode.is_gift,
  maxUses: redemptionCode.max_uses > 0 ? redemptionCode.max_uses : undefined,
  validFrom: redemptionCode.valid_from || undefined,
  validUntil: redemptionCode.valid_until || undefined,
});

/** The form in wire format; a code without a name is named after its amount. */
export const toCreateBody = (values: RedemptionCodeValues, amount: string): RedemptionCreateBody => ({
  name: values.name || amount.slice(0, REDEMPTION_NAME_LENGTH_MAX),
  quota: values.quota,
  count: values.key === "" ? values.count : 1,
  key: values.key,
  is_gift: values.isGift,
  max_uses: values.isGift ? (values.maxUses ?? UNLIMITED) : UNLIMITED,
  valid_from: values.validFrom ?? 0,
  valid_until: values.validUntil ?? 0,
});
