import {
  type Redemption,
  REDEMPTION_COUNT_MAX,
  REDEMPTION_NAME_LENGTH_MAX,
  type RedemptionCreateBody,
} from "@turnpike/contract/api/redemption";
import { z } from "zod";
import { text } from "../../lib/i18n-source.ts";

const UNLIMITED = -1;
const whole = z.number(text("请输入数字")).int(text("必须是整数"));

/** The code editor's fields; amounts are quota units, times unix seconds, an undefined `maxUses` is unlimited. */
export const RedemptionCodeForm = z
  .object({
    name: z.string().trim().max(REDEMPTION_NAME_LENGTH_MAX, text("名称最多 20 个字符")),
    quota: whole.min(1, text("额度必须大于 0")),
    count: whole.min(1, text("必须是正整数")).max(REDEMPTION_COUNT_MAX, text("一次最多创建 100 个")),
    key: z.string().trim().max(32, text("兑换码最多 32 个字符")),
    isGift: z.boolean(),
    maxUses: whole.min(1, text("必须是正整数")).optional(),
    validFrom: z.number().optional(),
    validUntil: z.number().optional(),
  })
  .refine(({ validFrom, validUntil }) => !validFrom || !validUntil || validFrom < validUntil, {
    path: ["validUntil"],
    error: text("生效时间必须早于过期时间"),
  });
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

/** A stored code as the form shows it. */
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

/** The form as the wire has it; a code without a name is called after its amount. */
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
