import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field, SwitchRow } from "../../../components/form/field.tsx";
import { JsonEditor } from "../../../components/form/json-editor.tsx";
import { FoldedSection } from "../../../components/form/section.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { Switch } from "../../../components/ui/switch.tsx";
import { text } from "../../../lib/text/i18n-source.ts";
import type { ChannelFormReturn } from "./channel-form.ts";
import { SettingFields } from "./setting-fields.tsx";
import { OPENAI_TYPE } from "./type-fields.ts";

const TEXT_FIELDS = [
  { name: "test_model", label: text("测试模型"), help: text("测试渠道时调用的模型，留空用第一个模型。") },
  { name: "model_prefix", label: text("模型前缀"), help: text("设置后只能以“前缀+模型名”调用。默认没有。") },
  { name: "tag", label: text("标签"), help: text("同一标签的渠道可以一起修改，不影响调用。") },
] as const;

const JSON_FIELDS = [
  {
    name: "model_mapping",
    label: text("模型重定向"),
    help: text("调用时的模型名换成上游的模型名。"),
    example: '{\n  "gpt-4o": "gpt-4o-2024-11-20"\n}',
  },
  {
    name: "param_override",
    label: text("参数覆盖"),
    help: text("覆盖发往上游的请求体中的顶层字段。"),
    example: '{\n  "temperature": 0\n}',
  },
  {
    name: "status_code_mapping",
    label: text("状态码映射"),
    help: text("上游的错误状态码换成另一个。"),
    example: '{\n  "400": "500"\n}',
  },
] as const;

type ChannelAdvancedProps = {
  readonly form: ChannelFormReturn;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
};

function JsonField({ form, field: described }: { form: ChannelFormReturn; field: (typeof JSON_FIELDS)[number] }) {
  const { t } = useTranslation();
  const { name, label, help, example } = described;
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field, fieldState }) => (
        <Field
          label={t(label)}
          error={fieldState.error}
          help={
            <span className="flex flex-wrap gap-x-2">
              {t(help)}
              {field.value.trim() === "" && (
                <Button variant="link" size="inline" className="text-[13px]" onClick={() => field.onChange(example)}>
                  {t("填入模板")}
                </Button>
              )}
            </span>
          }
        >
          {(control) => (
            <JsonEditor
              control={control}
              rows={4}
              placeholder={example}
              value={field.value}
              onValueChange={field.onChange}
              onBlur={field.onBlur}
            />
          )}
        </Field>
      )}
    />
  );
}

/** Advanced fields: mapping, prefix, overrides. */
export function ChannelAdvanced({ form, open, onOpenChange }: ChannelAdvancedProps) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  return (
    <FoldedSection title={t("高级设置")} summary={t("重定向、前缀、覆盖")} open={open} onOpenChange={onOpenChange}>
      <SwitchRow
        label={t("允许自动禁用")}
        help={t("上游明确拒绝时自动停用这个渠道，还需打开系统的自动禁用开关。默认打开。")}
      >
        {(control) => (
          <Controller
            control={form.control}
            name="auto_ban"
            render={({ field }) => <Switch {...control} checked={field.value} onCheckedChange={field.onChange} />}
          />
        )}
      </SwitchRow>
      {TEXT_FIELDS.map(({ name, label, help }) => (
        <Field key={name} label={t(label)} help={t(help)} error={errors[name]}>
          {(control) => <Input {...control} autoComplete="off" {...form.register(name)} />}
        </Field>
      ))}
      {form.watch("type") === OPENAI_TYPE && (
        <Field label={t("OpenAI 组织")} help={t("作为 OpenAI-Organization 请求头发送。默认没有。")}>
          {(control) => <Input {...control} autoComplete="off" {...form.register("openai_organization")} />}
        </Field>
      )}
      {JSON_FIELDS.map((field) => (
        <JsonField key={field.name} form={form} field={field} />
      ))}
      <SettingFields form={form} />
    </FoldedSection>
  );
}
