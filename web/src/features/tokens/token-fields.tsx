import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DateInput } from "../../components/form/date-input.tsx";
import { Field, SwitchRow } from "../../components/form/field.tsx";
import { MoneyField } from "../../components/form/money-field.tsx";
import { NumberInput } from "../../components/form/number-input.tsx";
import { Section } from "../../components/form/section.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Switch } from "../../components/ui/switch.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import { BudgetFields } from "./budget-fields.tsx";
import { GroupField } from "./group-field.tsx";
import type { TokenFormReturn } from "./token-form.ts";

const QUOTA_PRESETS_DOLLARS = [1, 10, 50, 100, 500, 1000] as const;
const COUNT_PRESETS = [10, 20, 30, 100] as const;
const HOUR_SECONDS = 3_600;
const EXPIRY_SHORTCUTS = [
  { label: text("永不过期"), seconds: undefined },
  { label: text("1 小时后"), seconds: HOUR_SECONDS },
  { label: text("1 天后"), seconds: 24 * HOUR_SECONDS },
  { label: text("1 个月后"), seconds: 30 * 24 * HOUR_SECONDS },
] as const;

const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

function CountField({ form }: { readonly form: TokenFormReturn }) {
  const { t } = useTranslation();
  return (
    <Controller
      control={form.control}
      name="count"
      render={({ field, fieldState }) => (
        <Field label={t("数量")} help={t("多于一个时，名称后会加上随机后缀。默认 1。")} error={fieldState.error}>
          {(control) => (
            <div className="flex flex-wrap gap-1.5">
              <NumberInput
                {...control}
                ref={field.ref}
                className="w-24"
                min={1}
                step={1}
                value={field.value}
                onValueChange={field.onChange}
                onBlur={field.onBlur}
              />
              {COUNT_PRESETS.map((preset) => (
                <Button variant="outline" key={preset} size="sm" className="h-9" onClick={() => field.onChange(preset)}>
                  {preset}
                </Button>
              ))}
            </div>
          )}
        </Field>
      )}
    />
  );
}

function ExpiryField({ form }: { readonly form: TokenFormReturn }) {
  const { t } = useTranslation();
  const never = form.watch("neverExpires");
  const choose = (seconds: number | undefined): void => {
    form.setValue("neverExpires", seconds === undefined, { shouldDirty: true });
    const at = seconds === undefined ? undefined : secondsFromNow(seconds);
    form.setValue("expiresAtSeconds", at, { shouldDirty: true, shouldValidate: true });
  };
  return (
    <Controller
      control={form.control}
      name="expiresAtSeconds"
      render={({ field, fieldState }) => (
        <Field
          label={t("过期时间")}
          help={never ? t("令牌永不过期。") : t("到了这个时间，令牌不再可用。")}
          error={fieldState.error}
        >
          {(control) => (
            <div className="flex flex-col gap-2">
              <DateInput
                {...control}
                ref={field.ref}
                className="sm:w-60"
                seconds={never ? undefined : field.value}
                onBlur={field.onBlur}
                onSecondsChange={(seconds) => {
                  form.setValue("neverExpires", false, { shouldDirty: true });
                  field.onChange(seconds);
                }}
              />
              <div className="flex flex-wrap gap-1.5">
                {EXPIRY_SHORTCUTS.map(({ label, seconds }) => (
                  <Button variant="outline" key={label} size="sm" className="h-7 px-2" onClick={() => choose(seconds)}>
                    {t(label)}
                  </Button>
                ))}
              </div>
            </div>
          )}
        </Field>
      )}
    />
  );
}

function QuotaFields({ form }: { readonly form: TokenFormReturn }) {
  const { t } = useTranslation();
  const unlimited = form.watch("unlimitedQuota");
  return (
    <>
      <SwitchRow label={t("无限额度")} help={t("只受账户余额限制。默认关闭。")}>
        {(control) => (
          <Controller
            control={form.control}
            name="unlimitedQuota"
            render={({ field }) => <Switch {...control} checked={field.value} onCheckedChange={field.onChange} />}
          />
        )}
      </SwitchRow>
      {!unlimited && (
        <MoneyField
          control={form.control}
          name="remainQuota"
          label={t("剩余额度")}
          help={t("用完后令牌不再可用。实际可用的还受账户余额限制。")}
          presets={QUOTA_PRESETS_DOLLARS}
        />
      )}
      {!unlimited && <BudgetFields form={form} />}
    </>
  );
}

/** The fields of every token: name, number, group, quota, expiry. */
export function TokenBasics({ form, isNew }: { readonly form: TokenFormReturn; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  return (
    <Section title={t("基本信息")}>
      <Field label={t("名称")} required error={errors.name} help={t("只用来辨认，日志里也会记下。最多 30 个字符。")}>
        {(control) => <Input {...control} autoFocus={isNew} autoComplete="off" {...form.register("name")} />}
      </Field>
      {isNew && <CountField form={form} />}
      <GroupField form={form} />
      <QuotaFields form={form} />
      <ExpiryField form={form} />
    </Section>
  );
}
