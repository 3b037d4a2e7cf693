import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { Field } from "../../../components/form/field.tsx";
import { NumberInput } from "../../../components/form/number-input.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../../components/ui/dialog.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { text } from "../../../lib/text/i18n-source.ts";
import type { PriceRow } from "./price-rows.ts";
import { TokenPriceFields } from "./token-price-fields.tsx";

const dollars = z.number(text("请输入数字")).check(z.gte(0, text("不能为负数")));

const priceForm = (taken: readonly string[]) =>
  z
    .object({
      name: z.string().check(
        z.trim(),
        z.minLength(1, text("请输入模型名称")),
        z.refine((name) => !taken.includes(name), text("模型名称已存在")),
      ),
      mode: z.enum(["tokens", "call", "unset"]),
      inputDollars: dollars,
      outputDollars: dollars,
      callDollars: dollars,
    })
    .check(
      z.refine(
        ({ mode, inputDollars, outputDollars }) => mode !== "tokens" || inputDollars > 0 || outputDollars === 0,
        {
          path: ["inputDollars"],
          error: text("模型价格不能为0：输入免费时不能有输出价格"),
        },
      ),
    );

type PriceDialogProps = {
  readonly row: PriceRow;
  /** Names that a new row cannot have. */
  readonly taken: readonly string[];
  readonly onApply: (row: PriceRow) => void;
  readonly onClose: () => void;
};

const MODES = [
  { value: "tokens", label: text("按量计费") },
  { value: "call", label: text("按次计费") },
  { value: "unset", label: text("不设置价格") },
] as const;

/** The price of a call. */
function CallPriceField({ form }: { readonly form: UseFormReturn<PriceRow> }) {
  const { t } = useTranslation();
  return (
    <Controller
      control={form.control}
      name="callDollars"
      render={({ field, fieldState }) => (
        <Field label={t("每次调用的价格（美元）")} error={fieldState.error}>
          {(control) => (
            <NumberInput
              {...control}
              ref={field.ref}
              min={0}
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

/** Sets the price of one model: per million tokens, per call, or none. */
export function PriceDialog({ row, taken, onApply, onClose }: PriceDialogProps) {
  const { t } = useTranslation();
  const form = useForm<PriceRow>({
    resolver: zodResolver(priceForm(taken)),
    mode: "onTouched",
    defaultValues: row.mode === "unset" ? { ...row, mode: "tokens" } : row,
  });
  const [mode, inputDollars, outputDollars] = useWatch({
    control: form.control,
    name: ["mode", "inputDollars", "outputDollars"],
  });
  const getMessage = (name: "inputDollars" | "outputDollars"): string | undefined => {
    const message = form.formState.errors[name]?.message;
    return message === undefined ? undefined : t(message);
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogTitle>{row.name === "" ? t("添加模型") : t("修改 {{name}} 的价格", { name: row.name })}</DialogTitle>
        <DialogDescription>{t("确定后还需要保存这一节才会生效。")}</DialogDescription>
        <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void form.handleSubmit(onApply)(event)}>
          {row.name === "" && (
            <Field label={t("模型")} required error={form.formState.errors.name}>
              {(control) => <Input {...control} autoComplete="off" className="font-mono" {...form.register("name")} />}
            </Field>
          )}
          <Field label={t("计费方式")}>
            {(control) => (
              <OptionSelect
                {...control}
                className="h-9"
                value={mode}
                options={MODES.map(({ value, label }) => ({ value, label: t(label) }))}
                onValueChange={(value) =>
                  form.setValue("mode", MODES.find((one) => one.value === value)?.value ?? mode)
                }
              />
            )}
          </Field>
          {mode === "tokens" && (
            <TokenPriceFields
              inputDollars={inputDollars}
              outputDollars={outputDollars}
              inputError={getMessage("inputDollars")}
              outputError={getMessage("outputDollars")}
              onChange={(prices) => {
                const shouldValidate = form.formState.isSubmitted;
                form.setValue("inputDollars", prices.inputDollars, { shouldValidate });
                form.setValue("outputDollars", prices.outputDollars, { shouldValidate });
              }}
            />
          )}
          {mode === "call" && <CallPriceField form={form} />}
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t("取消")}
            </Button>
            <Button type="submit">{t("确定")}</Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
