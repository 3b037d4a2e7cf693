import type { Channel } from "@turnpike/contract/api/channels/channel";
import { CHANNEL_TYPES, getChannelType } from "@turnpike/contract/api/channels/channel-types";
import { useQuery } from "@tanstack/react-query";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../../components/form/field.tsx";
import { NumberInput } from "../../../components/form/number-input.tsx";
import { Section } from "../../../components/form/section.tsx";
import { TagInput } from "../../../components/form/tag-input.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { Textarea } from "../../../components/ui/textarea.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { type ChannelFormReturn, hasVersionPath } from "./channel-form.ts";
import { KeyField } from "./channel-key-field.tsx";
import { ModelsField } from "./channel-models-field.tsx";
import type { PriceProposals } from "./channel-models-prices.tsx";
import { defaultModelsQuery } from "../../../domain/channels/channels-api.ts";
import { groupNamesQuery } from "../../../domain/groups/groups-api.ts";
import { CUSTOM_TYPE, getTypeFields } from "./type-fields.ts";

type ChannelBasicsProps = {
  readonly form: ChannelFormReturn;
  readonly stored: Channel | undefined;
  readonly isCopy: boolean;
  readonly proposals: PriceProposals;
};
type OfForm = { readonly form: ChannelFormReturn };

function TypeField({ form }: OfForm) {
  const { t } = useTranslation();
  const defaults = useQuery(defaultModelsQuery);
  const choose = (type: number): void => {
    const before = defaults.data?.[String(form.getValues("type"))] ?? [];
    const models = form.getValues("models");
    const getName = (id: number): string => t(getChannelType(id)?.name ?? "");
    const oldName = getName(form.getValues("type"));
    form.setValue("type", type, { shouldDirty: true });
    // The name follows the type until the user changes it.
    if (form.getValues("name") === oldName) form.setValue("name", getName(type));
    // Models that the user chose stay; an untouched preset follows the type.
    const untouched = models.length === 0 || models.join() === before.join();
    if (untouched) form.setValue("models", [...(defaults.data?.[String(type)] ?? [])], { shouldDirty: true });
  };
  const known = CHANNEL_TYPES.map(({ id, name }) => ({ value: String(id), label: t(name) }));
  const stored = form.getValues("type");
  const types = getChannelType(stored)
    ? known
    : [{ value: String(stored), label: t("类型 {{type}}", { type: stored }) }, ...known];
  return (
    <Controller
      control={form.control}
      name="type"
      render={({ field, fieldState }) => (
        <Field
          label={t("类型")}
          required
          error={fieldState.error}
          help={t("上游接口的格式。任何类型都能接收所有格式的调用。")}
        >
          {(control) => (
            <OptionSelect
              {...control}
              ref={field.ref}
              className="h-9"
              value={String(field.value)}
              options={types}
              onBlur={field.onBlur}
              onValueChange={(value) => choose(Number(value))}
            />
          )}
        </Field>
      )}
    />
  );
}

function AddressField({ form }: OfForm) {
  const { t } = useTranslation();
  const type = getChannelType(form.watch("type"));
  const isCustom = type?.id === CUSTOM_TYPE;
  const warn = !isCustom && hasVersionPath(form.watch("base_url"));
  const placeholder = isCustom
    ? "https://api.example.com/v1/chat/completions"
    : (getTypeFields(type?.id ?? 0).addressPlaceholder ?? type?.baseUrl ?? "");
  const help = isCustom
    ? t("完整的接口地址，包括路径；其中的 {model} 会换成模型名。")
    : type?.baseUrl === ""
      ? t("只填到域名，不带 /v1 和结尾的斜杠。")
      : t("留空使用官方地址。只填到域名，不带 /v1 和结尾的斜杠。");
  return (
    <Field
      label={t("地址")}
      required={type?.baseUrl === ""}
      error={form.formState.errors.base_url}
      help={warn ? <span className="text-warn">{t("网关会自动加上 /v1，通常应填写不带 /v1 的地址。")}</span> : help}
    >
      {(control) => (
        <Input
          {...control}
          type="url"
          autoComplete="off"
          className="font-mono text-[13px]"
          placeholder={placeholder}
          {...form.register("base_url")}
        />
      )}
    </Field>
  );
}

/** Fields of the channel's type: API version, region, account and similar. */
function OtherField({ form }: OfForm) {
  const { t } = useTranslation();
  const { other } = getTypeFields(form.watch("type"));
  if (!other) return null;
  const Control = other.isLong === true ? Textarea : Input;
  return (
    <Field label={t(other.label)} help={t(other.help)} error={form.formState.errors.other}>
      {(control) => (
        <Control
          {...control}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-[13px]"
          placeholder={other.placeholder}
          {...form.register("other")}
        />
      )}
    </Field>
  );
}

function GroupsField({ form }: OfForm) {
  const { t } = useTranslation();
  const groups = useQuery(groupNamesQuery);
  return (
    <Controller
      control={form.control}
      name="groups"
      render={({ field, fieldState }) => (
        <Field
          label={t("所属分组")}
          required
          error={fieldState.error}
          help={t("哪些分组的调用可以使用这个渠道。默认 default。")}
        >
          {(control) => (
            <TagInput
              control={control}
              values={field.value}
              onValuesChange={field.onChange}
              suggestions={groups.data ?? []}
              placeholder={t("输入或选择分组")}
              onBlur={field.onBlur}
            />
          )}
        </Field>
      )}
    />
  );
}

function RoutingFields({ form }: OfForm) {
  const { t } = useTranslation();
  const rows = [
    { name: "priority", label: t("优先级"), help: t("大的先用。默认 0。") },
    { name: "weight", label: t("权重"), help: t("同一优先级内按权重分配。默认 0。") },
  ] as const;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {rows.map(({ name, label, help }) => (
        <Controller
          key={name}
          control={form.control}
          name={name}
          render={({ field, fieldState }) => (
            <Field label={label} help={help} error={fieldState.error}>
              {(control) => (
                <NumberInput
                  {...control}
                  ref={field.ref}
                  step={1}
                  value={field.value}
                  onValueChange={field.onChange}
                  onBlur={field.onBlur}
                />
              )}
            </Field>
          )}
        />
      ))}
    </div>
  );
}

/**
 * Fields of every channel: type, name, key, address, models, groups, priority and weight; and the type's own fields.
 */
export function ChannelBasics({ form, stored, isCopy, proposals }: ChannelBasicsProps) {
  const { t } = useTranslation();
  return (
    <Section title={t("基本信息")}>
      <TypeField form={form} />
      <Field label={t("名称")} required error={form.formState.errors.name}>
        {(control) => <Input {...control} autoComplete="off" {...form.register("name")} />}
      </Field>
      <KeyField form={form} stored={stored} isCopy={isCopy} />
      <AddressField form={form} />
      <OtherField form={form} />
      <ModelsField form={form} stored={stored} proposals={proposals} />
      <GroupsField form={form} />
      <RoutingFields form={form} />
    </Section>
  );
}
