import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/form/field.tsx";
import { MoneyField } from "../../components/form/money-field.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { BUDGET_PERIODS } from "./budget-periods.ts";
import type { TokenFormReturn } from "./token-form.ts";

const PRESETS_DOLLARS = [1, 5, 10, 50] as const;

/** A recurring budget, and its amount. */
export function BudgetFields({ form }: { readonly form: TokenFormReturn }) {
  const { t } = useTranslation();
  const period = form.watch("budgetPeriod");
  return (
    <>
      <Controller
        control={form.control}
        name="budgetPeriod"
        render={({ field }) => (
          <Field label={t("额度周期")} help={t("在 UTC 零点（每天、每周一或每月 1 日）恢复为这个额度。")}>
            {(control) => (
              <OptionSelect
                {...control}
                ref={field.ref}
                className="h-9 sm:w-48"
                value={field.value}
                options={BUDGET_PERIODS.map(({ value, label }) => ({ value, label: t(label) }))}
                onBlur={field.onBlur}
                onValueChange={(value) => {
                  // The token's current quota is the default amount of a period.
                  if (field.value === "") form.setValue("periodQuota", Math.max(1, form.getValues("remainQuota") || 1));
                  field.onChange(value);
                }}
              />
            )}
          </Field>
        )}
      />
      {period !== "" && (
        <MoneyField control={form.control} name="periodQuota" label={t("每个周期的额度")} presets={PRESETS_DOLLARS} />
      )}
    </>
  );
}
