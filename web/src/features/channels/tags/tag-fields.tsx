import { useQuery } from "@tanstack/react-query";
import { Controller, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../../components/form/field.tsx";
import { JsonEditor } from "../../../components/form/json-editor.tsx";
import { Section } from "../../../components/form/section.tsx";
import { TagInput } from "../../../components/form/tag-input.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { allModelsQuery } from "../../../domain/channels/channels-api.ts";
import { groupNamesQuery } from "../../../domain/groups/groups-api.ts";
import type { TagValues } from "./tag-form.ts";

/** Fields for all channels of a tag; an empty field leaves each channel unchanged. */
export function TagFields({ form }: { readonly form: UseFormReturn<TagValues> }) {
  const { t } = useTranslation();
  const groups = useQuery(groupNamesQuery);
  const models = useQuery(allModelsQuery);
  const { errors } = form.formState;
  const lists = [
    {
      name: "models",
      label: t("模型列表"),
      help: t("替换每个渠道的模型列表。留空则不变。"),
      placeholder: t("输入或选择模型"),
      suggestions: models.data ?? [],
    },
    {
      name: "groups",
      label: t("所属分组"),
      help: t("替换每个渠道的分组。留空则不变。"),
      placeholder: t("输入或选择分组"),
      suggestions: groups.data ?? [],
    },
  ] as const;
  return (
    <Section title={t("同时修改该标签的全部渠道")}>
      <Field label={t("标签名称")} help={t("留空则解散标签，渠道本身不变。")} error={errors.name}>
        {(control) => <Input {...control} autoComplete="off" {...form.register("name")} />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("优先级")} help={t("留空则不变。")} error={errors.priority}>
          {(control) => <Input {...control} inputMode="numeric" {...form.register("priority")} />}
        </Field>
        <Field label={t("权重")} help={t("留空则不变。")} error={errors.weight}>
          {(control) => <Input {...control} inputMode="numeric" {...form.register("weight")} />}
        </Field>
      </div>
      {lists.map(({ name, label, help, placeholder, suggestions }) => (
        <Controller
          key={name}
          control={form.control}
          name={name}
          render={({ field }) => (
            <Field label={label} help={help}>
              {(control) => (
                <TagInput
                  control={control}
                  values={field.value}
                  onValuesChange={field.onChange}
                  suggestions={suggestions}
                  placeholder={placeholder}
                  onBlur={field.onBlur}
                />
              )}
            </Field>
          )}
        />
      ))}
      <Controller
        control={form.control}
        name="model_mapping"
        render={({ field, fieldState }) => (
          <Field label={t("模型重定向")} help={t("替换每个渠道的模型重定向。留空则不变。")} error={fieldState.error}>
            {(control) => (
              <JsonEditor
                control={control}
                rows={4}
                placeholder={'{\n  "gpt-4o": "gpt-4o-2024-11-20"\n}'}
                value={field.value}
                onValueChange={field.onChange}
                onBlur={field.onBlur}
              />
            )}
          </Field>
        )}
      />
    </Section>
  );
}
