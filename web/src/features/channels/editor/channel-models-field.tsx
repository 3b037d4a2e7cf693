import type { Channel } from "@turnpike/contract/api/channels/channel";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { copyText } from "../../../components/copy-text.ts";
import { Field } from "../../../components/form/field.tsx";
import { TagInput } from "../../../components/form/tag-input.tsx";
import type { ModelSource } from "../../../domain/models/model-picker.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { text } from "../../../lib/text/i18n-source.ts";
import { joinCommaList } from "../../../lib/text/comma-list.ts";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import type { ChannelFormReturn } from "./channel-form.ts";
import {
  allModelsQuery,
  defaultModelsQuery,
  fetchModels,
  fetchChannelModels,
} from "../../../domain/channels/channels-api.ts";
import { NewModelPrices, type PriceProposals, usePriceNote } from "./channel-models-prices.tsx";
import { getTypeFields } from "./type-fields.ts";

const ModelPicker = lazy(async () => ({
  default: (await import("../../../domain/models/model-picker.tsx")).ModelPicker,
}));

const NO_MODELS: readonly string[] = [];

type ModelsFieldProps = {
  readonly form: ChannelFormReturn;
  /** The channel whose stored key and address may be used to fetch models. */
  readonly stored: Channel | undefined;
  readonly proposals: PriceProposals;
};

function useFetchModels({ form, stored }: Omit<ModelsFieldProps, "proposals">) {
  return useMutation({
    mutationFn: () => {
      const { key, base_url, type } = form.getValues();
      // An unsaved key or address takes precedence over the stored one.
      const isStored =
        stored !== undefined && key.trim() === "" && base_url === stored.base_url && type === stored.type;
      return isStored ? fetchChannelModels(stored.id) : fetchModels({ key: key.trim(), base_url, type });
    },
    onError: notifyError,
  });
}

/**
 * The picker's sources: the models that upstream just returned, the type's defaults, and every model that this version
 * knows.
 */
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

type ModelButtonsProps = {
  readonly models: readonly string[];
  readonly usual: readonly string[];
  readonly isFetching: boolean;
  readonly onFetch: () => void;
  readonly onPick: () => void;
  readonly onChange: (models: readonly string[]) => void;
};

/** The ways to fill the list of models, and to copy or to empty it. */
function ModelButtons({ models, usual, isFetching, onFetch, onPick, onChange }: ModelButtonsProps) {
  const { t } = useTranslation();
  const copy = async (): Promise<void> => {
    if (await copyText(joinCommaList(models))) notifySuccess(t("已复制"));
  };
  const look = { variant: "outline", size: "sm" } as const;
  return (
    <div className="flex flex-wrap gap-1.5">
      <BusyButton {...look} busy={isFetching} onClick={onFetch}>
        {t("从上游获取模型列表")}
      </BusyButton>
      <Button {...look} onClick={onPick}>
        {t("选择模型…")}
      </Button>
      <Button {...look} disabled={usual.length === 0} onClick={() => onChange([...models, ...usual])}>
        {t("填入常用模型")}
      </Button>
      <Button {...look} disabled={models.length === 0} onClick={() => void copy()}>
        {t("复制全部")}
      </Button>
      <Button {...look} disabled={models.length === 0} onClick={() => onChange([])}>
        {t("清空")}
      </Button>
    </div>
  );
}

/** Fetches the upstream's models, which then can be picked; without a key it prompts for one. */
function useUpstreamModels({ form, stored, proposals }: ModelsFieldProps, onFound: () => void) {
  const [found, setFound] = useState<readonly string[]>();
  const fetching = useFetchModels({ form, stored });
  return {
    found,
    isFetching: fetching.isPending,
    fetch: (): void => {
      if (form.getValues("key").trim() === "" && stored === undefined) {
        form.setError("key", { message: text("请填写密钥") }, { shouldFocus: true });
        return;
      }
      fetching.mutate(undefined, {
        onSuccess: (models) => {
          setFound(models);
          const known = new Set(form.getValues("models"));
          proposals.setModels(models.filter((model) => !known.has(model)));
          onFound();
        },
      });
    },
  };
}

/** The models of a channel: the provider's defaults, those that the upstream lists, or typed ones. */
export function ModelsField({ form, stored, proposals }: ModelsFieldProps) {
  const { t } = useTranslation();
  const defaults = useQuery(defaultModelsQuery);
  const [picking, setPicking] = useState(false);
  const upstream = useUpstreamModels({ form, stored, proposals }, () => setPicking(true));
  const { note } = usePriceNote(upstream.found ?? NO_MODELS);
  const type = form.watch("type");
  const sources = useSources(type, upstream.found);
  const usual = defaults.data?.[String(type)] ?? [];
  const { modelsHelp } = getTypeFields(type);
  const help = [t("可以粘贴用逗号或换行分隔的列表。"), modelsHelp === undefined ? "" : t(modelsHelp)].join(" ").trim();
  const set = (models: readonly string[]): void =>
    form.setValue("models", [...new Set(models)], { shouldDirty: true, shouldValidate: true });
  return (
    <>
      <Controller
        control={form.control}
        name="models"
        render={({ field, fieldState }) => (
          <Field label={t("模型列表")} required error={fieldState.error} help={help}>
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
                <ModelButtons
                  models={field.value}
                  usual={usual}
                  isFetching={upstream.isFetching}
                  onFetch={upstream.fetch}
                  onPick={() => setPicking(true)}
                  onChange={set}
                />
              </div>
            )}
          </Field>
        )}
      />
      <NewModelPrices chosen={form.watch("models")} proposals={proposals} />
      <Suspense>
        {picking && (
          <ModelPicker
            sources={sources}
            chosen={form.getValues("models")}
            marksNew={upstream.found !== undefined}
            takesOthers
            {...(upstream.found ? { note } : {})}
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
