import { Controller, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DateInput } from "../../components/form/date-input.tsx";
import { Field, SwitchRow } from "../../components/form/field.tsx";
import { MoneyField } from "../../components/form/money-field.tsx";
import { NumberInput } from "../../components/form/number-input.tsx";
import { Section } from "../../components/form/section.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Switch } from "../../components/ui/switch.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import type { RedemptionCodeValues } from "./redemption-code-form.ts";

type RedemptionCodeFieldsProps = { readonly form: UseFormReturn<RedemptionCodeValues>; readonly isNew: boolean };

const QUOTA_PRESETS_DOLLARS = [1, 10, 50, 100, 500, 1000] as const;
const WINDOW_FIELDS = [
  { name: "validFrom", label: text("生效时间"), help: text("留空表示立即生效。") },
  { name: "validUntil", label: text("过期时间"), help: text("留空表示永不过期。") },
] as const;

/** The fields of a code: value, number, uses and validity. */
export function RedemptionCodeFields({ form, isNew }: RedemptionCodeFieldsProps) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  return (
    <Section title={t("基本信息")}>
      <Field label={t("名称")} error={errors.name} help={t("留空则用额度作名称。最多 20 个字符。")}>
        {(control) => <Input {...control} autoComplete="off" {...form.register("name")} />}
      </Field>
      <MoneyField
        control={form.control}
        name="quota"
        label={t("额度")}
        required
        help={t("每个兑换码到账的额度。")}
        presets={QUOTA_PRESETS_DOLLARS}
      />
      {isNew ? <NewCodeFields form={form} /> : <FixedFacts form={form} />}
      <div className="grid gap-4 sm:grid-cols-2">
        {WINDOW_FIELDS.map(({ name, label, help }) => (
          <Controller
            key={name}
            control={form.control}
            name={name}
            render={({ field, fieldState }) => (
              <Field label={t(label)} help={t(help)} error={fieldState.error}>
                {(control) => (
                  <DateInput
                    {...control}
                    ref={field.ref}
                    seconds={field.value}
                    onSecondsChange={field.onChange}
                    onBlur={field.onBlur}
                  />
                )}
              </Field>
            )}
          />
        ))}
      </div>
    </Section>
  );
}

/** Properties that cannot be changed any more. */
function FixedFacts({ form }: { readonly form: UseFormReturn<RedemptionCodeValues> }) {
  const { t } = useTranslation();
  const { isGift, maxUses } = form.getValues();
  if (!isGift) return null;
  return (
    <p className="text-[13px] text-muted-foreground">
      {maxUses === undefined
        ? t("礼品码，不限使用次数。创建后不能修改。")
        : t("礼品码，最多使用 {{count}} 次。创建后不能修改。", { count: maxUses })}
    </p>
  );
}

function NewCodeFields({ form }: { readonly form: UseFormReturn<RedemptionCodeValues> }) {
  const { t } = useTranslation();
  const isGift = form.watch("isGift");
  const custom = form.watch("key").trim() !== "";
  return (
    <>
      {!custom && (
        <Controller
          control={form.control}
          name="count"
          render={({ field, fieldState }) => (
            <Field label={t("数量")} error={fieldState.error} help={t("一次最多 100 个。默认 1。")}>
              {(control) => (
                <NumberInput
                  {...control}
                  ref={field.ref}
                  min={1}
                  step={1}
                  className="w-32"
                  value={field.value}
                  onValueChange={field.onChange}
                  onBlur={field.onBlur}
                />
              )}
            </Field>
          )}
        />
      )}
      <Field label={t("自定义兑换码")} error={form.formState.errors.key} help={t("留空则自动生成；填写后只创建一个。")}>
        {(control) => <Input {...control} autoComplete="off" className="font-mono" {...form.register("key")} />}
      </Field>
      <SwitchRow label={t("礼品码")} help={t("可以被多个用户使用，每个用户一次。默认关闭。")}>
        {(control) => (
          <Controller
            control={form.control}
            name="isGift"
            render={({ field }) => <Switch {...control} checked={field.value} onCheckedChange={field.onChange} />}
          />
        )}
      </SwitchRow>
      {isGift && (
        <Controller
          control={form.control}
          name="maxUses"
          render={({ field, fieldState }) => (
            <Field label={t("最多使用次数")} error={fieldState.error} help={t("留空表示不限次数。")}>
              {(control) => (
                <NumberInput
                  {...control}
                  ref={field.ref}
                  min={1}
                  step={1}
                  className="w-32"
                  value={field.value ?? Number.NaN}
                  onValueChange={(value) => field.onChange(Number.isNaN(value) ? undefined : value)}
                  onBlur={field.onBlur}
                />
              )}
            </Field>
          )}
        />
      )}
    </>
  );
}
