import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogTitle } from "../../../components/ui/dialog.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { useSmallForm } from "../../../hooks/use-small-form.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import type { BatchPrice } from "./table/price-tables.ts";

type Mode = BatchPrice["mode"];

const MODES: readonly { readonly value: Mode; readonly label: string }[] = [
  { value: "both", label: text("模型倍率和补全倍率") },
  { value: "ratio", label: text("模型倍率") },
  { value: "completion", label: text("补全倍率") },
  { value: "call", label: text("固定价格") },
];

const LABELS: Readonly<Record<Mode, string>> = {
  both: text("模型倍率"),
  ratio: text("模型倍率"),
  completion: text("补全倍率"),
  call: text("每次调用的价格（美元）"),
};

type BatchValues = { readonly mode: Mode; readonly value: string; readonly completion: string };

const isAmount = (value: string): boolean => value !== "" && Number.isFinite(Number(value)) && Number(value) >= 0;

const NUMBER_PROBLEM = text("请输入有效的数字");

/** The source sentences of the errors, by field. */
function getProblems({ mode, value, completion }: BatchValues): readonly (readonly [string, string])[] {
  if (mode === "both" && (value === "" || completion === "")) return [["value", text("请输入模型倍率和补全倍率")]];
  if (value === "") return [["value", text("请输入填充值")]];
  return [
    ...(isAmount(value) ? [] : [["value", NUMBER_PROBLEM] as const]),
    ...(mode !== "both" || isAmount(completion) ? [] : [["completion", NUMBER_PROBLEM] as const]),
  ];
}

const BatchForm = z
  .object({
    mode: z.enum(["both", "ratio", "completion", "call"]),
    value: z.string().check(z.trim()),
    completion: z.string().check(z.trim()),
  })
  .check(
    z.superRefine((values, context) => {
      for (const [name, message] of getProblems(values)) context.addIssue({ code: "custom", path: [name], message });
    }),
  );

function getBatch(mode: Mode, value: number, completion: number): BatchPrice {
  if (mode === "call") return { mode, price: value };
  if (mode === "ratio") return { mode, ratio: value };
  return mode === "completion" ? { mode, completion: value } : { mode, ratio: value, completion };
}

type BatchDialogProps = {
  readonly count: number;
  readonly onApply: (batch: BatchPrice) => void;
  readonly onClose: () => void;
};

/** Sets the prices of all selected models at once. */
export function BatchDialog({ count, onApply, onClose }: BatchDialogProps) {
  const { t } = useTranslation();
  const form = useSmallForm<BatchValues>(BatchForm, { mode: "both", value: "", completion: "" });
  const { mode } = form.values;
  const valueError = form.getError("value");
  const completionError = form.getError("completion");
  const apply = form.submit(async ({ mode: chosen, value, completion }) =>
    onApply(getBatch(chosen, Number(value), Number(completion))),
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent>
        <DialogTitle>{t("批量设置 {{count}} 个模型", { count })}</DialogTitle>
        <DialogDescription>{t("确定后还需要保存这一节才会生效。")}</DialogDescription>
        <form noValidate className="flex flex-col gap-4" onSubmit={apply}>
          <FieldFrame label={t("设置什么")}>
            {(control) => (
              <OptionSelect
                {...control}
                className="h-9"
                value={mode}
                options={MODES.map(({ value: one, label }) => ({ value: one, label: t(label) }))}
                onValueChange={(next) => form.set("mode", MODES.find(({ value: one }) => one === next)?.value ?? mode)}
              />
            )}
          </FieldFrame>
          <FieldFrame label={t(LABELS[mode])} error={valueError && t(valueError)}>
            {(control) => <Input {...control} {...form.field("value")} inputMode="decimal" autoComplete="off" />}
          </FieldFrame>
          {mode === "both" && (
            <FieldFrame label={t("补全倍率")} error={completionError && t(completionError)}>
              {(control) => <Input {...control} {...form.field("completion")} inputMode="decimal" autoComplete="off" />}
            </FieldFrame>
          )}
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
