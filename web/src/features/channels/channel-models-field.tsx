import type { Channel } from "@turnpike/contract/api/channel";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { copyText } from "../../components/copy-text.ts";
import { Field } from "../../components/form/field.tsx";
import { TagInput } from "../../components/form/tag-input.tsx";
import type { ModelSource } from "../../domain/models/model-picker.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { text } from "../../lib/i18n-source.ts";
import { joinCommaList } from "../../lib/comma-list.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import type { ChannelFormReturn } from "./channel-basics.tsx";
import {
  allModelsQuery,
  defaultModelsQuery,
  fetchModels,
  fetchChannelModels,
} from "../../domain/channels/channels-api.ts";
import { fieldsOfType } from "./type-fields.ts";

const ModelPicker = lazy(async () => ({
  default: (await import("../../domain/models/model-picker.tsx")).ModelPicker,
}));

type ModelsFieldProps = {
  readonly form: ChannelFormReturn;
  /** The channel whose stored key and address may be asked with. */
  readonly stored: Channel | undefined;
};

function useFetchModels({ form, stored }: ModelsFieldProps) {
  return useMutation({
    mutationFn: () => {
      const { key, base_url, type } = form.getValues();
      // An unsaved key or address is what the person wants to ask about; otherwise the stored ones are used.
      const isStored =
        stored !== undefined && key.trim() === "" && base_url === stored.base_url && type === stored.type;
      return isStored ? fetchChannelModels(stored.id) : fetchModels({ key: key.trim(), base_url, type });
    },
    onError: notifyError,
  });
}

/** What the picker offers: what upstream just reported, the type's usual models, and every model this version knows. */
function useSources(type: number, found: readonly string[] | undefined): readonly ModelSource[] {
  const { t } = useTranslation();
  const defaults = useQuery(defaultModelsQuery);
  const all = useQuery(allModelsQuery);
  const usual = defaults.data?.[String(type)] ?? [];
  return [
    ...(found ? [{ id: "found", label: t("上游"), models: found }] : []),
    ...(usual.length > 0 ? [{ id: "usual", label: t("常用"), models: usual }] : []),
    { id: "all", label: t("全部"), models: all.data ?? [] },
  ];
}

/** The models of a channel: the provider's usual ones, those the upstream says it has, or typed ones. */
export function ModelsField({ form, stored }: ModelsFieldProps) {
  const { t } = useTranslation();
  const defaults = useQuery(defaultModelsQuery);
  const [found, setFound] = useState<readonly string[]>();
  const [picking, setPicking] = useState(false);
  const fetching = useFetchModels({ form, stored });
  const type = form.watch("type");
  const sources = useSources(type, found);
  const usual = defaults.data?.[String(type)] ?? [];
  const { modelsHelp } = fieldsOfType(type);
  const set = (models: readonly string[]): void =>
    form.setValue("models", [...new Set(models)], { shouldDirty: true, shouldValidate: true });
  const ask = (): void => {
    const { key } = form.getValues();
    if (key.trim() === "" && stored === undefined) {
      form.setError("key", { message: text("请填写密钥") }, { shouldFocus: true });
      return;
    }
    fetching.mutate(undefined, {
      onSuccess: (models) => {
        setFound(models);
        setPicking(true);
      },
    });
  };
  return (
    <>
      <Controller
        control={form.control}
        name="models"
        render={({ field, fieldState }) => (
          <Field
            label={t("模型列表")}
            required
            error={fieldState.error}
            help={[t("可以粘贴用逗号或换行分隔的列表。"), modelsHelp === undefined ? "" : t(modelsHelp)]
              .join(" ")
              .trim()}
          >
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
                  <BusyButton variant="outline" size="sm" busy={fetching.isPending} onClick={ask}>
                    {t("从上游获取模型列表")}
                  </BusyButton>
                  <Button variant="outline" size="sm" onClick={() => setPicking(true)}>
                    {t("选择模型…")}
                  </Button>
                  <Button
                    variant="outline"
                    size="sm"
                    disabled={usual.length === 0}
                    onClick={() => set([...field.value, ...usual])}
                  >
                    {t("填入常用模型")}
                  </Button>
                  <Button
                    variant="outline"
                    size="sm"
                    disabled={field.value.length === 0}
                    onClick={() =>
                      void copyText(joinCommaList(field.value)).then((copied) => copied && notifySuccess(t("已复制")))
                    }
                  >
                    {t("复制全部")}
                  </Button>
                  <Button variant="outline" size="sm" disabled={field.value.length === 0} onClick={() => set([])}>
                    {t("清空")}
                  </Button>
                </div>
              </div>
            )}
          </Field>
        )}
      />
      <Suspense>
        {picking && (
          <ModelPicker
            sources={sources}
            chosen={form.getValues("models")}
            marksNew={found !== undefined}
            takesOthers
            onClose={() => setPicking(false)}
            onApply={(models) => {
              set(models);
              setPicking(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
