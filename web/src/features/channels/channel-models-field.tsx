import type { Channel } from "@turnpike/contract/api/channel";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { copyText } from "../../components/copy-text.ts";
import { Field } from "../../components/form/field.tsx";
import { TagInput } from "../../components/form/tag-input.tsx";
import { Button } from "../../components/ui/button.tsx";
import { text } from "../../lib/i18n-source.ts";
import { joinNames } from "../../lib/names.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import type { ChannelFormReturn } from "./channel-basics.tsx";
import { defaultModelsQuery, fetchModels, fetchModelsOf } from "./channels-api.ts";
import { ModelPicker } from "./model-picker.tsx";

type ModelsFieldProps = { readonly form: ChannelFormReturn; readonly channel: Channel | undefined };

function useFetchModels({ form, channel }: ModelsFieldProps) {
  return useMutation({
    mutationFn: () => {
      const { key, base_url, type } = form.getValues();
      // An unsaved key or address is what the person wants to ask about; otherwise the stored ones are used.
      const stored =
        channel !== undefined && key.trim() === "" && base_url === channel.base_url && type === channel.type;
      return stored ? fetchModelsOf(channel.id) : fetchModels({ key: key.trim(), base_url, type });
    },
    onError: notifyError,
  });
}

/** The models of a channel: the provider's usual ones, those the upstream says it has, or typed ones. */
export function ModelsField({ form, channel }: ModelsFieldProps) {
  const { t } = useTranslation();
  const defaults = useQuery(defaultModelsQuery);
  const [found, setFound] = useState<readonly string[]>();
  const fetching = useFetchModels({ form, channel });
  const usual = defaults.data?.[String(form.watch("type"))] ?? [];
  const set = (models: readonly string[]): void =>
    form.setValue("models", [...new Set(models)], { shouldDirty: true, shouldValidate: true });
  const ask = (): void => {
    const { key } = form.getValues();
    if (key.trim() === "" && channel === undefined) {
      form.setError("key", { message: text("请填写密钥") }, { shouldFocus: true });
      return;
    }
    fetching.mutate(undefined, { onSuccess: setFound });
  };
  return (
    <>
      <Controller
        control={form.control}
        name="models"
        render={({ field, fieldState }) => (
          <Field label={t("模型列表")} required error={fieldState.error} help={t("可以粘贴用逗号或换行分隔的列表。")}>
            {(control) => (
              <div className="flex flex-col gap-2">
                <TagInput
                  control={control}
                  values={field.value}
                  onValuesChange={field.onChange}
                  suggestions={usual}
                  placeholder={t("输入或选择模型")}
                  onBlur={field.onBlur}
                />
                <div className="flex flex-wrap gap-1.5">
                  <Button size="small" busy={fetching.isPending} onClick={ask}>
                    {t("从上游获取模型列表")}
                  </Button>
                  <Button size="small" disabled={usual.length === 0} onClick={() => set([...field.value, ...usual])}>
                    {t("填入常用模型")}
                  </Button>
                  <Button
                    size="small"
                    disabled={field.value.length === 0}
                    onClick={() =>
                      void copyText(joinNames(field.value)).then((copied) => copied && notifySuccess(t("已复制")))
                    }
                  >
                    {t("复制全部")}
                  </Button>
                  <Button size="small" disabled={field.value.length === 0} onClick={() => set([])}>
                    {t("清空")}
                  </Button>
                </div>
              </div>
            )}
          </Field>
        )}
      />
      {found && (
        <ModelPicker
          found={found}
          chosen={form.getValues("models")}
          onClose={() => setFound(undefined)}
          onApply={(models) => {
            set(models);
            setFound(undefined);
          }}
        />
      )}
    </>
  );
}
