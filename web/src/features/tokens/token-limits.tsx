import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field, SwitchRow } from "../../components/form/field.tsx";
import { NumberInput } from "../../components/form/number-input.tsx";
import { FoldedSection } from "../../components/form/section.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";
import { Switch } from "../../components/ui/switch.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import { ModelLimits } from "./model-limits.tsx";
import type { TokenFormReturn } from "./token-form.ts";

type LimitsProps = {
  readonly form: TokenFormReturn;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
};

/** Optional limits: models, addresses, calls per period. */
export function TokenLimits({ form, open, onOpenChange }: LimitsProps) {
  const { t } = useTranslation();
  return (
    <FoldedSection title={t("使用限制")} summary={t("模型、IP、频率、并发")} open={open} onOpenChange={onOpenChange}>
      <ModelLimits form={form} />
      <Field
        label={t("IP 白名单")}
        help={t("每行一个 IP 或 CIDR，留空表示不限制。")}
        error={form.formState.errors.allowIps}
      >
        {(control) => (
          <Textarea
            {...control}
            className="font-mono text-[13px]"
            placeholder={"203.0.113.7\n198.51.100.0/24"}
            {...form.register("allowIps")}
          />
        )}
      </Field>
      <RateLimits form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberFields form={form} fields={LOAD_FIELDS} />
      </div>
      <SwitchRow
        label={t("缓存相同的请求")}
        help={t("温度为 0 的相同请求可以直接用缓存的回答，需要站点打开缓存。默认关闭。")}
      >
        {(control) => (
          <Controller
            control={form.control}
            name="responseCache"
            render={({ field }) => <Switch {...control} checked={field.value} onCheckedChange={field.onChange} />}
          />
        )}
      </SwitchRow>
    </FoldedSection>
  );
}

const RATE_FIELDS = [
  { name: "rateLimitPeriod", label: text("周期（秒）"), help: text("默认 60。") },
  { name: "rateLimitCount", label: text("总请求次数"), help: text("含失败的请求，0 表示不限。") },
  { name: "rateLimitSuccess", label: text("成功请求次数"), help: text("0 表示不限。") },
] as const;
const LOAD_FIELDS = [
  { name: "tokensPerMinute", label: text("每分钟 token 数"), help: text("提示和回答合计，0 表示不限。默认 0。") },
  { name: "concurrentCalls", label: text("并发调用数"), help: text("同时进行的调用，0 表示不限。默认 0。") },
] as const;

type NumberFieldsProps = {
  readonly form: TokenFormReturn;
  readonly fields: readonly {
    readonly name: (typeof RATE_FIELDS | typeof LOAD_FIELDS)[number]["name"];
    readonly label: string;
    readonly help: string;
  }[];
};

function NumberFields({ form, fields }: NumberFieldsProps) {
  const { t } = useTranslation();
  return fields.map(({ name, label, help }) => (
    <Controller
      key={name}
      control={form.control}
      name={name}
      render={({ field, fieldState }) => (
        <Field label={t(label)} help={t(help)} error={fieldState.error}>
          {(control) => (
            <NumberInput
              {...control}
              ref={field.ref}
              min={0}
              step={1}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
            />
          )}
        </Field>
      )}
    />
  ));
}

function RateLimits({ form }: { readonly form: TokenFormReturn }) {
  const { t } = useTranslation();
  const enabled = form.watch("rateLimitEnabled");
  return (
    <>
      <SwitchRow label={t("限制频率")} help={t("限制一个周期内的请求次数。默认关闭。")}>
        {(control) => (
          <Controller
            control={form.control}
            name="rateLimitEnabled"
            render={({ field }) => <Switch {...control} checked={field.value} onCheckedChange={field.onChange} />}
          />
        )}
      </SwitchRow>
      {enabled && (
        <div className="grid gap-4 sm:grid-cols-3">
          <NumberFields form={form} fields={RATE_FIELDS} />
        </div>
      )}
    </>
  );
}
