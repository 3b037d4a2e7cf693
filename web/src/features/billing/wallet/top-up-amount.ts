import { z } from "zod/mini";
import { text } from "../../../lib/text/i18n-source.ts";

const PRESETS_DOLLARS = [10, 20, 50, 100, 200, 500] as const;

/** Suggested amounts, none below the minimum: dollars, or quota units where the site shows quota. */
export const presetAmounts = (least: number, unit: number): readonly number[] =>
  PRESETS_DOLLARS.map((dollars) => dollars * unit).filter((amount) => amount >= least);

/** An entered amount: an integer of at least 1. */
export const integerAmount = (typed: number): number => (Number.isNaN(typed) ? typed : Math.max(1, Math.floor(typed)));

/** The form of a payment: an amount that is not below the method's minimum. */
export const topUpForm = (getLeast: (method: string) => number) =>
  z.object({ amount: z.number(text("请输入充值数量")), method: z.string() }).check(
    z.refine(({ amount, method }) => amount >= getLeast(method), {
      path: ["amount"],
      error: text("充值数量不能小于 {{min}}"),
    }),
  );
export type TopUpValues = z.infer<ReturnType<typeof topUpForm>>;
