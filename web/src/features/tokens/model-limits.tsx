import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field, SwitchRow } from "../../components/form/field.tsx";
import { TagInput } from "../../components/form/tag-input.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Switch } from "../../components/ui/switch.tsx";
import type { TokenFormReturn } from "./token-form.ts";
import { userModelsQuery } from "../../domain/tokens/tokens-api.ts";

const ModelPicker = lazy(async () => ({
  default: (await import("../../domain/models/model-picker.tsx")).ModelPicker,
}));

/** The models that a token may call: typed, or chosen among those that its owner can call. */
export function ModelLimits({ form }: { readonly form: TokenFormReturn }) {
  const { t } = useTranslation();
  const enabled = form.watch("modelLimitsEnabled");
  const models = useQuery(userModelsQuery).data ?? [];
  const [picking, setPicking] = useState(false);
  return (
    <>
      <SwitchRow label={t("限制模型")} help={t("只允许调用选中的模型。默认关闭。")}>
        {(control) => (
          <Controller
            control={form.control}
            name="modelLimitsEnabled"
            render={({ field }) => <Switch {...control} checked={field.value} onCheckedChange={field.onChange} />}
          />
        )}
      </SwitchRow>
      {enabled && (
        <Controller
          control={form.control}
          name="modelLimits"
          render={({ field, fieldState }) => (
            <Field label={t("允许的模型")} error={fieldState.error}>
              {(control) => (
                <div className="flex flex-col gap-2">
                  <TagInput
                    control={control}
                    values={field.value}
                    onValuesChange={field.onChange}
                    suggestions={models}
                    placeholder={t("输入或选择模型")}
                    onBlur={field.onBlur}
                  />
                  <Button variant="outline" size="sm" className="self-start" onClick={() => setPicking(true)}>
                    {t("选择模型…")}
                  </Button>
                </div>
              )}
            </Field>
          )}
        />
      )}
      <Suspense>
        {picking && (
          <ModelPicker
            sources={[{ id: "mine", label: t("可用模型"), models }]}
            chosen={form.getValues("modelLimits")}
            onClose={() => setPicking(false)}
            onApply={(chosen) => {
              form.setValue("modelLimits", [...chosen], { shouldDirty: true, shouldValidate: true });
              setPicking(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
