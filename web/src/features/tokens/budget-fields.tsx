import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/form/field.tsx";
import { MoneyInput } from "../../components/form/money-input.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { BUDGET_PERIODS } from "./budget-periods.ts";
import type { TokenFormReturn } from "./token-fields.tsx";

const PRESETS_DOLLARS = [1, 5, 10, 50] as const;

/** A budget that comes back by itself, and what it comes back to. */
export function BudgetFields({ form }: { readonly form: TokenFormReturn }) {
  const { t } = useTranslation();
  const period = form.watch("budgetPeriod");
  return (
    <>
      <Controller
        control={form.control}
        name="budgetPeriod"
        render={({ field }) => (
          <Field
            label={t("额度周期")}
            help={t("到了周期（UTC，每周从周一算起），剩余额度恢复为设定的数。默认不恢复。")}
          >
            {(control) => (
              <OptionSelect
                {...control}
                ref={field.ref}
                className="h-9 sm:w-48"
                value={field.value}
                options={BUDGET_PERIODS.map(({ value, label }) => ({ value, label: t(label) }))}
                onBlur={field.onBlur}
                onValueChange={(value) => {
                  // What the token has now is what people mean a period to begin with.
                  if (field.value === "") form.setValue("periodQuota", Math.max(1, form.getValues("remainQuota") || 1));
                  field.onChange(value);
                }}
              />
            )}
          </Field>
        )}
      />
      {period !== "" && (
        <Controller
          control={form.control}
          name="periodQuota"
          render={({ field, fieldState }) => (
            <Field label={t("每个周期的额度")} error={fieldState.error}>
              {(control) => (
                <MoneyInput
                  control={control}
                  quota={field.value}
                  onQuotaChange={field.onChange}
                  presets={PRESETS_DOLLARS}
                />
              )}
            </Field>
          )}
        />
      )}
    </>
  );
}
