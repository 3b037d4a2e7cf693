import { FALLBACK_CAUSES, type FallbackCause } from "@turnpike/contract/options/model-routes";
import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/form/field.tsx";
import { FoldedSection } from "../../components/form/section.tsx";
import { Checkbox } from "../../components/ui/checkbox.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import type { TokenFormReturn } from "./token-form.ts";

type ModelRoutesProps = {
  readonly form: TokenFormReturn;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
};

const CAUSE_LABELS: Readonly<Record<FallbackCause, string>> = {
  unavailable: text("不可用"),
  rate_limit: text("限流"),
  timeout: text("超时"),
  context_length: text("上下文过长"),
  content_filter: text("内容过滤"),
  budget: text("余额不足"),
};

/** The token's own model aliases and fallback models. */
export function TokenModelRoutes({ form, open, onOpenChange }: ModelRoutesProps) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  return (
    <FoldedSection
      title={t("模型别名和备用模型")}
      summary={t("先于站点的设置")}
      open={open}
      onOpenChange={onOpenChange}
    >
      <Field label={t("模型别名")} help={t("每行一个：名称 = 模型。按实际模型收费。")} error={errors.modelAliases}>
        {(control) => (
          <Textarea
            {...control}
            className="font-mono text-[13px]"
            placeholder="fast = gpt-5-mini"
            {...form.register("modelAliases")}
          />
        )}
      </Field>
      <Field
        label={t("备用模型")}
        help={t("每行一个：模型 = 失败后依次改用的模型，用逗号分隔。")}
        error={errors.modelFallbacks}
      >
        {(control) => (
          <Textarea
            {...control}
            className="font-mono text-[13px]"
            placeholder="gpt-5 = claude-sonnet-4-5, gemini-2.5-pro"
            {...form.register("modelFallbacks")}
          />
        )}
      </Field>
      <Causes form={form} />
    </FoldedSection>
  );
}

function Causes({ form }: Pick<ModelRoutesProps, "form">) {
  const { t } = useTranslation();
  return (
    <Controller
      control={form.control}
      name="fallbackCauses"
      render={({ field }) => (
        <fieldset className="grid gap-2">
          <legend className="text-sm font-medium">{t("改用备用模型的原因")}</legend>
          <p className="text-xs text-muted-foreground">{t("都不选时使用站点的设置。")}</p>
          <div className="grid gap-2 sm:grid-cols-2">
            {FALLBACK_CAUSES.map((cause) => (
              <label key={cause} className="flex items-center gap-2 text-sm">
                <Checkbox
                  checked={field.value.includes(cause)}
                  onCheckedChange={(isChecked) =>
                    field.onChange(
                      isChecked === true ? [...field.value, cause] : field.value.filter((other) => other !== cause),
                    )
                  }
                />
                {t(CAUSE_LABELS[cause])}
              </label>
            ))}
          </div>
        </fieldset>
      )}
    />
  );
}
